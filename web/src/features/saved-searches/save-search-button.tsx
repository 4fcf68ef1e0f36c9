import { BellPlus } from 'lucide-react';
import { useState } from 'react';
import type { Filters } from '../../../../contract/pages.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';

const SavedSearchDialog = lazyOverlay(() => import('./saved-search-dialog.tsx').then((m) => m.SavedSearchDialog));

/** Saves the search with these filters, of which there is at least one. A visitor signs in first and comes back. */
export const SaveSearchButton = ({ filters, className = '' }: { filters: Filters; className?: string }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" className={className} onClick={() => (user ? setOpen(true) : openSignIn())}>
        <BellPlus /> Save this search
      </Button>
      <SavedSearchDialog filters={filters} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};
