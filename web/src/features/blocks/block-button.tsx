import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
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
