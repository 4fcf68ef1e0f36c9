import { clsx as cn } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../../contract/i18n.ts';
import { useEscapeLayer } from '../hooks/use-overlay.ts';
import { announce } from '../lib/announcer.tsx';

export interface Option {
  key: string;
  content: ReactNode;
  choose: () => void;
  /** The option can be taken off the list: by its cross, or by Delete while it is active. */
  remove?: () => void;
}

interface OptionListProps {
  field: RefObject<HTMLInputElement | null>;
  id: string;
  label: string;
  /** False keeps the list closed, as where nothing was typed. */
  mayOpen: boolean;
  options: readonly Option[];
  /** Shown while there are no options. */
  note?: string | undefined;
  /** Enter takes the first option while none is active. */
  takesFirst?: boolean;
}

/**
 * The list under a text field, which it turns into a combobox of the ARIA Authoring Practices (list autocomplete, manual
 * selection). The field has the role `combobox`, `aria-expanded` false and `aria-controls` with the id of the list; it
 * keeps the focus, and its ARIA attributes expose the open list and the active option.
 */
export const OptionList = ({ field, id, label, mayOpen, options, note, takesFirst = false }: OptionListProps) => {
  const choose = (index: number) => {
    close();
    options[index]?.choose();
  };
  const { isOpen, active, setActive, close } = useCombobox(field, {
    mayOpen: mayOpen && (options.length > 0 || note !== undefined),
    count: options.length,
    takesFirst,
    choose,
    canRemove: (index) => options[index]?.remove !== undefined,
    remove: (index) => options[index]?.remove?.(),
  });
  const layer = useEscapeLayer<HTMLDivElement>(close);
  const isListed = isOpen && options.length > 0;

  const activeId = isListed && active >= 0 ? `${id}-${active}` : undefined;
  useEffect(() => {
    const input = field.current;
    // the list may go while it is open
    return () => input?.setAttribute('aria-expanded', 'false');
  }, [field]);
  useEffect(() => {
    field.current?.setAttribute('aria-expanded', String(isListed));
    if (activeId) field.current?.setAttribute('aria-activedescendant', activeId);
    else field.current?.removeAttribute('aria-activedescendant');
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [field, isListed, activeId]);

  const count = t('suggestions.count', { count: options.length });
  const said = isListed ? count : isOpen ? note : undefined;
  useEffect(() => {
    if (said) announce(said);
  }, [said]);

  if (!said) return null;
  const box = 'absolute inset-x-0 top-full z-overlay mt-1.5 rounded-card border border-border bg-card shadow-dialog';
  if (!isListed) return <p className={cn(box, 'px-4 py-3 text-sm text-muted-foreground')}>{note}</p>;
  return (
    <div
      {...layer}
      data-state="open"
      role="listbox"
      id={id}
      aria-label={label}
      className={cn(box, 'max-h-[50svh] overflow-y-auto p-1.5')}
    >
      {options.map(({ key, content, remove }, index) => (
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
          {remove ? <RemoveCross onRemove={remove} /> : null}
        </div>
      ))}
    </div>
  );
};

/** For a pointer. An option must not contain a button: the keyboard has Delete, which a screen reader is told. */
const RemoveCross = ({ onRemove }: { onRemove: () => void }) => (
  <>
    <span className="sr-only">{t('suggestions.deleteRemoves')}</span>
    <span
      aria-hidden="true"
      data-remove
      className="-me-3 ms-auto grid size-11 shrink-0 place-items-center text-muted-foreground hover:text-foreground"
      onClick={(event) => {
        event.stopPropagation();
        onRemove();
      }}
    >
      <X className="size-4" />
    </span>
  </>
);

/** Up and Down move through the options and the field itself, and wrap around. */
const step = (active: number, by: 1 | -1, count: number): number => ((active + 1 + by + count + 1) % (count + 1)) - 1;

interface ComboboxOptions {
  mayOpen: boolean;
  count: number;
  takesFirst: boolean;
  choose: (index: number) => void;
  canRemove: (index: number) => boolean;
  remove: (index: number) => void;
}

const useCombobox = (
  field: RefObject<HTMLInputElement | null>,
  { mayOpen, count, takesFirst, choose, canRemove, remove }: ComboboxOptions,
) => {
  // The user may have left the field before this code loaded.
  const [isAsked, setAsked] = useState(() => document.activeElement === field.current);
  /** Index of the option that Enter selects; -1 for none. */
  const [active, setActive] = useState(-1);
  const isOpen = isAsked && mayOpen;

  const close = () => {
    setAsked(false);
    setActive(-1);
  };
  const handleLeave = useEffectEvent(close);
  const handleInput = useEffectEvent(() => {
    setAsked(true);
    setActive(-1);
  });
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    const taken = active < 0 && takesFirst ? 0 : active;
    if (by && count > 0) {
      setAsked(true);
      setActive(step(active, by, count));
    } else if (event.key === 'Delete' && isOpen && canRemove(active)) {
      remove(active);
      setActive(-1);
    } else if (event.key === 'Enter' && isOpen && taken >= 0 && taken < count) choose(taken);
    else return;
    event.preventDefault();
  });
  // Keeps the typed text, and the dialog around the field: only a second Escape reaches the browser and the dialog.
  const handleEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen || event.target !== field.current) return;
    close();
    event.preventDefault();
    event.stopImmediatePropagation();
  });

  useEffect(() => {
    const input = field.current;
    if (!input) return;
    const gone = new AbortController();
    const { signal } = gone;
    input.addEventListener('input', handleInput, { signal });
    input.addEventListener('keydown', handleKey, { signal });
    input.addEventListener('blur', handleLeave, { signal });
    input.form?.addEventListener('submit', handleLeave, { signal });
    // runs before Radix's listener on the document
    window.addEventListener('keydown', handleEscape, { signal, capture: true });
    return () => gone.abort();
  }, [field]);
  return { isOpen, active: Math.min(active, count - 1), setActive, close };
};
