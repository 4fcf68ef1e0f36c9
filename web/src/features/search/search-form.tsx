import { Search } from 'lucide-react';
import { type FormEvent, startTransition, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { usePreHydrationValue } from '../../hooks/use-hydrated.ts';
import { useList } from '../../hooks/use-list.ts';
import { lazyWithRetry, preload } from '../../lib/chunks.ts';
import { keepSearch } from '../../lib/recent-searches.ts';
import { Input } from '../../ui/form-controls.tsx';

const loadSuggestions = () => import('./suggestions.tsx').then((module) => module.SuggestionList);
// If this chunk cannot be loaded, the search works without suggestions.
const SuggestionList = lazyWithRetry(loadSuggestions, () => null);

export const SearchForm = ({ className, autoFocus }: { className?: string; autoFocus?: boolean }) => {
  const { filters, goTo } = useList();
  const listId = useId();
  const current = filters.search ?? '';
  const [typed, setTyped] = useState<string>();
  const field = usePreHydrationValue<HTMLInputElement>(current, setTyped);

  const shown = useRef(current);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    if (field.current) field.current.value = current;
    setTyped((text) => text && '');
  }, [current, field]);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus, field]);

  const show = (search: string, category?: string) => {
    keepSearch(search);
    if (field.current) field.current.value = search;
    if (category) goTo({ category, search }, {}, true);
    else goTo({ search });
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    show(field.current?.value.trim() ?? '');
  };

  return (
    <search className={className}>
      {/* The action handles searches before hydration. */}
      <form action="/" onSubmit={handleSubmit} className="relative">
        <Search className="pointer-events-none absolute top-1/2 start-3.5 size-4 -translate-y-1/2 text-muted-foreground" />
        <Input
          ref={field}
          type="search"
          name="search"
          role="combobox"
          aria-label={t('shell.searchAds')}
          aria-autocomplete="list"
          aria-expanded={false}
          aria-controls={listId}
          autoComplete="off"
          placeholder={t('shell.searchPlaceholder')}
          maxLength={200}
          enterKeyHint="search"
          defaultValue={current}
          onFocus={preload(loadSuggestions)}
          onInput={({ currentTarget: { value } }) => startTransition(() => setTyped(value))}
          className="rounded-full bg-surface ps-10"
        />
        {typed === undefined ? null : (
          <SuggestionList
            field={field}
            id={listId}
            text={typed}
            onSearch={show}
            onCategory={(category, search = '') => show(search, category)}
          />
        )}
      </form>
    </search>
  );
};
