import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { deleteSavedSearch, listSavedSearches, type SavedSearch } from '../../../../contract/saved-searches.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { formatTotal } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { AlertDialog, lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { EmptyLine, ListSection } from '../../ui/list-section.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useFilterNames } from '../ads/filters/applied-filters.tsx';
import { describeSearch } from './describe-search.ts';

const SavedSearchDialog = lazyOverlay(() => import('./saved-search-dialog.tsx').then((m) => m.SavedSearchDialog));

/** The section of the dashboard with the user's saved searches. */
export const SavedSearches = () => {
  return (
    <ListSection
      id="saved-searches"
      title={t('searches.title')}
      list={useApiQuery(listSavedSearches, {})}
      skeleton="h-24"
      failureTitle={t('searches.loadFailed')}
      empty={
        <EmptyLine>
          <Rich
            text={t('searches.none')}
            link={(words) => (
              <Link to="/" className="prose-link">
                {words}
              </Link>
            )}
          />
        </EmptyLine>
      }
    >
      {(search) => <SavedSearchItem key={search.id} search={search} />}
    </ListSection>
  );
};

const NOTIFIES = {
  instantly: 'searches.notifies_instantly',
  daily: 'searches.notifies_daily',
  never: 'searches.notifies_never',
} as const satisfies Record<SavedSearch['frequency'], TextKey>;

const formatNew = (count: number): string =>
  t('searches.newAds', { number: formatTotal(Math.min(count, LIMITS.countCap), count < LIMITS.countCap) });

const SavedSearchItem = ({ search }: { search: SavedSearch }) => {
  const { id, name, filters, frequency, newCount } = search;
  const names = useFilterNames(filters);
  const remove = useApiMutation(deleteSavedSearch);
  const toast = useToast();
  const { isBusy, run } = useAction();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const handleClose = () => setOpen(undefined);
  const handleDelete = async () => {
    handleClose();
    if (await run(() => remove({ params: { id } }), t('list.searchDeleteFailed')))
      toast({ title: t('list.searchDeleted') });
  };
  return (
    <li className="flex items-center gap-2 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0 grow text-sm">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <Link to={`/saved-searches/${id}`} className="inline-flex min-h-8 items-center hover:underline">
            <bdi className="wrap-anywhere">{name}</bdi>
          </Link>
          {newCount > 0 ? <Badge variant="primary">{formatNew(newCount)}</Badge> : null}
        </p>
        <p className="break-words text-muted-foreground">
          {[...describeSearch(filters, names), t(NOTIFIES[frequency])].join(' · ')}
        </p>
      </div>
      <Button variant="ghost" size="icon" aria-label={t('searches.edit', { name })} onClick={() => setOpen('edit')}>
        <Pencil />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('searches.deleteName', { name })}
        busy={isBusy}
        onClick={() => setOpen('delete')}
      >
        <Trash2 />
      </Button>
      <SavedSearchDialog filters={filters} saved={search} open={open === 'edit'} onOpenChange={handleClose} />
      <AlertDialog
        open={open === 'delete'}
        onOpenChange={handleClose}
        title={t('searches.deleteQuestion')}
        text={t('searches.deleteText', { name })}
        confirmLabel={t('searches.delete')}
        onConfirm={() => void handleDelete()}
      />
    </li>
  );
};
