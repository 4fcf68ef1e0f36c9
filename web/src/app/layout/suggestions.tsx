import { clsx as cn } from 'clsx';
import { Search } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { type Suggestions, suggestSearches } from '../../../../contract/search.ts';
import { useApiQuery } from '../../api/query.ts';
import { useDebouncedValue } from '../../hooks/use-debounced-value.ts';
import { useEscapeLayer } from '../../hooks/use-overlay.ts';
import { announce } from '../../lib/announcer.tsx';

interface SuggestionListProps {
  field: RefObject<HTMLInputElement | null>;
  id: string;
  text: string;
  onSearch: (search: string) => void;
  onCategory: (name: string) => void;
}

interface Option {
  key: string;
  content: ReactNode;
  choose: () => void;
}

const listOptions = ({ searches, categories }: Suggestions, props: SuggestionListProps): Option[] => [
  ...searches.map((search) => ({
    key: search,
    content: <SearchOption search={search} typed={props.text.trim()} />,
    choose: () => props.onSearch(search),
  })),
  ...categories.map(({ slug, name, emoji }) => ({
    key: `in ${slug}`,
    content: (
      <>
        <span aria-hidden="true" className="w-4 text-center">
          {emoji}
        </span>
        <span className="min-w-0 truncate">{name}</span>
        <span className="ml-auto text-xs text-muted-foreground">Category</span>
      </>
    ),
    choose: () => props.onCategory(name),
  })),
];

/** Suggestions under the search field. A separate chunk, loaded when the user types. */
export const SuggestionList = (props: SuggestionListProps) => {
  const { field, id, text } = props;
  const options = listOptions(useSuggestions(text), props);
  const { isOpen, active, setActive, close } = useCombobox(field, text, options.length, (index) => choose(index));
  const layer = useEscapeLayer<HTMLDivElement>(close);
  const choose = (index: number) => {
    close();
    options[index]?.choose();
  };

  const activeId = isOpen && active >= 0 ? `${id}-${active}` : undefined;
  useEffect(() => {
    field.current?.setAttribute('aria-expanded', String(isOpen));
    if (activeId) field.current?.setAttribute('aria-activedescendant', activeId);
    else field.current?.removeAttribute('aria-activedescendant');
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [field, isOpen, activeId]);

  const said = isOpen ? `${options.length} ${options.length === 1 ? 'suggestion' : 'suggestions'}` : '';
  useEffect(() => {
    if (said) announce(said);
  }, [said]);

  if (!isOpen) return null;
  return (
    <div
      {...layer}
      data-state="open"
      role="listbox"
      id={id}
      aria-label="Suggestions"
      className="absolute inset-x-0 top-full z-overlay mt-1.5 max-h-[50svh] overflow-y-auto rounded-card border border-border bg-card p-1.5 shadow-dialog"
    >
      {options.map(({ key, content }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys go to the field
        <div
          key={key}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === active}
          // Keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
          onMouseMove={() => setActive(index)}
          onClick={() => choose(index)}
          className={cn(
            'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg px-3 text-sm md:min-h-10',
            index === active && 'bg-muted',
          )}
        >
          {content}
        </div>
      ))}
    </div>
  );
};

const SearchOption = ({ search, typed }: { search: string; typed: string }) => {
  const goesOn = search.toLowerCase().startsWith(typed.toLowerCase());
  return (
    <>
      <Search className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 truncate">
        {goesOn ? search.slice(0, typed.length) : ''}
        <b className="font-semibold">{goesOn ? search.slice(typed.length) : search}</b>
      </span>
    </>
  );
};

const PAUSE_MS = 120;
const NONE: Suggestions = { searches: [], categories: [] };

/** The server's suggestions for the text once typing pauses. The search works without suggestions. */
const useSuggestions = (text: string): Suggestions => {
  const search = useDebouncedValue(text.trim(), PAUSE_MS, '');
  const target = search ? { query: { search } } : null;
  const { data, error } = useApiQuery(suggestSearches, target, { keepPreviousData: true });
  return error || !search || !data ? NONE : data;
};

interface Combobox {
  isOpen: boolean;
  /** Index of the option that Enter selects; -1 for none. */
  active: number;
  setActive: (index: number) => void;
  close: () => void;
}

/** Up and Down move through the options and the field itself, and wrap around. */
const step = (active: number, by: 1 | -1, count: number): number => ((active + 1 + by + count + 1) % (count + 1)) - 1;

/**
 * Turns an existing text field into a combobox of the ARIA Authoring Practices (list autocomplete, manual selection).
 * The focus stays in the field, whose ARIA attributes expose the open list and the active option. `choose` receives the
 * index of the selected option.
 */
export const useCombobox = (
  field: RefObject<HTMLInputElement | null>,
  text: string,
  count: number,
  choose: (index: number) => void,
): Combobox => {
  // The user may have left the field before this code loaded.
  const [isAsked, setAsked] = useState(() => document.activeElement === field.current);
  const [active, setActive] = useState(-1);
  const isOpen = isAsked && count > 0 && text.trim() !== '';

  const close = () => {
    setAsked(false);
    setActive(-1);
  };
  const reopen = () => {
    setAsked(true);
    setActive(-1);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (by && count > 0) {
      setAsked(true);
      setActive(step(active, by, count));
    } else if (event.key === 'Enter' && isOpen && active >= 0) choose(active);
    // Keeps the typed text: only a second Escape clears the field, which the browser does.
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };

  const latest = useRef({ reopen, handleKey, close });
  useEffect(() => {
    latest.current = { reopen, handleKey, close };
  });
  useEffect(() => {
    const input = field.current;
    if (!input) return;
    const gone = new AbortController();
    const { signal } = gone;
    input.addEventListener('input', () => latest.current.reopen(), { signal });
    input.addEventListener('keydown', (event) => latest.current.handleKey(event), { signal });
    input.addEventListener('blur', () => latest.current.close(), { signal });
    input.form?.addEventListener('submit', () => latest.current.close(), { signal });
    return () => gone.abort();
  }, [field]);
  return { isOpen, active: Math.min(active, count - 1), setActive, close };
};
