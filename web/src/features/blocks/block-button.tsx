import { Ban } from 'lucide-react';
import { useState } from 'react';
import { getBlock } from '../../../../contract/blocks.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';
import { type BlockablePerson, useBlock } from './use-block.ts';

interface BlockDialogProps {
  person: BlockablePerson;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Confirms a block, then blocks. */
export const BlockDialog = ({ person, open, onOpenChange }: BlockDialogProps) => {
  const { setBlocked } = useBlock(person);
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Block ${person.displayName}?`}
      text={`Neither of you can write to the other, their ads leave your lists and searches, and neither of you follows the other any longer. ${person.displayName} is not notified. You can unblock them at any time.`}
      confirmLabel="Block"
      onConfirm={() => void setBlocked(true)}
    />
  );
};

export const UnblockButton = ({ person }: { person: BlockablePerson }) => {
  const { isBusy, setBlocked } = useBlock(person);
  return (
    <Button
      variant="outline"
      size="sm"
      busy={isBusy}
      aria-label={`Unblock ${person.displayName}`}
      onClick={() => void setBlocked(false)}
    >
      {isBusy ? <Spinner /> : null}
      Unblock
    </Button>
  );
};

/** Blocks or unblocks the person of a profile. Visitors sign in first. The caller hides it for oneself. */
export const BlockButton = ({ person }: { person: BlockablePerson }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const isBlocked = useApiQuery(getBlock, user ? { params: { userId: person.id } } : null).data?.isBlocked ?? false;
  const { isBusy, setBlocked } = useBlock(person);
  const [isAsking, setAsking] = useState(false);
  const handleClick = () => {
    if (!user) openSignIn();
    else if (isBlocked) void setBlocked(false);
    else setAsking(true);
  };
  const label = isBlocked ? 'Unblock' : 'Block';
  return (
    <>
      <Button variant="ghost" busy={isBusy} aria-label={`${label} ${person.displayName}`} onClick={handleClick}>
        {isBusy ? <Spinner /> : <Ban />}
        {label}
      </Button>
      <BlockDialog person={person} open={isAsking} onOpenChange={setAsking} />
    </>
  );
};
