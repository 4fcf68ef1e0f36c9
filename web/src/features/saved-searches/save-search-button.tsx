import { BellPlus } from 'lucide-react';
import { useState } from 'react';
import type { Filters } from '../../../../contract/filters.ts';
import { t } from '../../../../contract/i18n.ts';
import { deleteSavedSearch, listSavedSearches } from '../../../../contract/saved-searches.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';

const SavedSearchDialog = lazyOverlay(() => import('./saved-search-dialog.tsx').then((m) => m.SavedSearchDialog));

interface SaveSearchProps {
  filters: Filters;
  /** Says what for, where no ad was found. */
  isExplained?: boolean;
}

// The order of a list is no part of a saved search.
const toKey = ({ sort: _, ...filters }: Filters): string => JSON.stringify(Object.entries(filters).sort());

/**
 * Saves the search with these filters, of which there is at least one, or removes it from those saved. A visitor signs in
 * first and comes back.
 */
export const SaveSearchButton = ({ filters, isExplained = false }: SaveSearchProps) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const toast = useToast();
  const { data: searches = [] } = useApiQuery(listSavedSearches, user ? {} : null);
  const remove = useApiMutation(deleteSavedSearch);
  const { isBusy, run } = useAction();
  const [isOpen, setOpen] = useState(false);
  const saved = searches.find((search) => toKey(search.filters) === toKey(filters));
  const handleRemove = async (id: string) => {
    if (await run(() => remove({ params: { id } }), t('list.searchDeleteFailed')))
      toast({ title: t('list.searchDeleted') });
  };
  if (saved)
    return (
      <Button variant="secondary" busy={isBusy} onClick={() => void handleRemove(saved.id)}>
        <Rich text={t('list.searchSaved')} hidden={(words) => <span className="sr-only">{words}</span>} />
      </Button>
    );
  return (
    <>
      <Button variant="outline" onClick={() => (user ? setOpen(true) : openSignIn())}>
        <BellPlus /> {t('list.saveSearch')}
      </Button>
      {isExplained ? <p className="w-full text-sm text-muted-foreground">{t('list.saveSearchText')}</p> : null}
      <SavedSearchDialog filters={filters} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};
