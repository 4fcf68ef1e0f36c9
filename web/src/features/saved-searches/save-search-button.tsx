import { BellPlus } from 'lucide-react';
import { useState } from 'react';
import type { Filters } from '../../../../contract/filters.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';

const SavedSearchDialog = lazyOverlay(() => import('./saved-search-dialog.tsx').then((m) => m.SavedSearchDialog));

interface SaveSearchProps {
  filters: Filters;
  /** Says what for, where no ad was found. */
  isExplained?: boolean;
}

/** Saves the search with these filters, of which there is at least one. A visitor signs in first and comes back. */
export const SaveSearchButton = ({ filters, isExplained = false }: SaveSearchProps) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" onClick={() => (user ? setOpen(true) : openSignIn())}>
        <BellPlus /> Save this search
      </Button>
      {isExplained ? (
        <p className="w-full text-sm text-muted-foreground">Save this search and we tell you about new ads.</p>
      ) : null}
      <SavedSearchDialog filters={filters} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};
