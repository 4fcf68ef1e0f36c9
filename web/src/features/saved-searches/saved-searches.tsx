import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { LIMITS } from '../../../../contract/limits.ts';
import { deleteSavedSearch, listSavedSearches, type SavedSearch } from '../../../../contract/saved-searches.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { AlertDialog, lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { EmptyLine, ListSection } from '../../ui/list-section.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useFilterNames } from '../ads/filters/applied-filters.tsx';
import { describeSearch } from './describe-search.ts';

const SavedSearchDialog = lazyOverlay(() => import('./saved-search-dialog.tsx').then((m) => m.SavedSearchDialog));

/** The section of the dashboard with the user's saved searches. */
export const SavedSearches = () => {
  return (
    <ListSection
      id="saved-searches"
      title="Saved Searches"
      list={useApiQuery(listSavedSearches, {})}
      skeleton="h-24"
      failureTitle="Failed to load your saved searches"
      empty={
        <EmptyLine>
          You have no saved searches.{' '}
          <Link to="/" className="prose-link">
            Search for something
          </Link>{' '}
          to save one.
        </EmptyLine>
      }
    >
      {(search) => <SavedSearchItem key={search.id} search={search} />}
    </ListSection>
  );
};

const NOTIFIES: Record<SavedSearch['frequency'], string> = {
  instantly: 'Notifies instantly',
  daily: 'Notifies daily',
  never: 'Does not notify',
};

const formatNew = (count: number): string => `${count >= LIMITS.countCap ? `${LIMITS.countCap}+` : count} new`;

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
    if (await run(() => remove({ params: { id } }), 'Failed to delete the saved search. Please try again.'))
      toast({ title: 'Saved search deleted' });
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
          {[...describeSearch(filters, names), NOTIFIES[frequency]].join(' · ')}
        </p>
      </div>
      <Button variant="ghost" size="icon" aria-label={`Edit ${name}`} onClick={() => setOpen('edit')}>
        <Pencil />
      </Button>
      <Button variant="ghost" size="icon" aria-label={`Delete ${name}`} busy={isBusy} onClick={() => setOpen('delete')}>
        <Trash2 />
      </Button>
      <SavedSearchDialog filters={filters} saved={search} open={open === 'edit'} onOpenChange={handleClose} />
      <AlertDialog
        open={open === 'delete'}
        onOpenChange={handleClose}
        title="Delete this saved search?"
        text={`You will not hear of new ads for “${name}” any more.`}
        confirmLabel="Delete"
        onConfirm={() => void handleDelete()}
      />
    </li>
  );
};
