import { Search } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { toUrl } from '../../../../contract/initial-state.ts';
import { type Suggestions, suggestSearches } from '../../../../contract/search.ts';
import { fetchJson } from '../../api/client.ts';
import { useEscapeLayer } from '../../hooks/use-escape-layer.ts';
import { announce } from '../../lib/announcer.tsx';
import { cn } from '../../lib/cn.ts';
import { useCombobox } from './use-combobox.ts';

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
      <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 truncate">
        {goesOn ? search.slice(0, typed.length) : ''}
        <b className="font-semibold">{goesOn ? search.slice(typed.length) : search}</b>
      </span>
    </>
  );
};

const PAUSE_MS = 120;
const NONE: Suggestions = { searches: [], categories: [] };

/** The server's suggestions for the text once typing pauses. Outdated requests are aborted. */
export const useSuggestions = (text: string): Suggestions => {
  const [suggestions, setSuggestions] = useState(NONE);
  const search = text.trim();
  useEffect(() => {
    if (search === '') {
      setSuggestions(NONE);
      return;
    }
    const overtaken = new AbortController();
    const ask = async () => {
      const asked = fetchJson<Suggestions>(toUrl(suggestSearches, { query: { search } }), overtaken.signal);
      // The search works without suggestions.
      const answer = await asked.catch(() => NONE);
      if (!overtaken.signal.aborted) setSuggestions(answer);
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      overtaken.abort();
    };
  }, [search]);
  return suggestions;
};
