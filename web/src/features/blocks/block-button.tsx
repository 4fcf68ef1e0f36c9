import { t } from '../../../../contract/i18n.ts';
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
      title={t('person.blockQuestion', { name: person.displayName })}
      text={t('person.blockText', { name: person.displayName })}
      confirmLabel={t('person.block')}
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
      aria-label={t('person.unblockName', { name: person.displayName })}
      onClick={() => void setBlocked(false)}
    >
      {isBusy ? <Spinner /> : null}
      {t('person.unblock')}
    </Button>
  );
};
