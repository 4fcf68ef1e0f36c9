import { LIMITS } from '../../../../contract/limits.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

/** Shows a secret, once. */
export const NewSecret = ({ secret, onDone }: { secret: string | undefined; onDone: () => void }) => (
  <Dialog
    open={secret !== undefined}
    onOpenChange={onDone}
    title="The secret of this webhook"
    description="We show it only now. Your program checks with it that requests come from here. Discord and ntfy do not need it."
    className="sm:max-w-md"
  >
    <Secret secret={secret ?? ''} onDone={onDone} />
  </Dialog>
);

const Secret = ({ secret, onDone }: { secret: string; onDone: () => void }) => {
  const toast = useToast();
  const handleCopy = () =>
    navigator.clipboard.writeText(secret).then(
      () => toast({ title: 'Secret copied' }),
      () => toast.error('Copying is not allowed here. Select the secret and copy it.'),
    );
  return (
    <>
      <p className="rounded-control bg-muted p-4 font-mono text-sm break-all select-all">{secret}</p>
      <p className="text-sm text-muted-foreground">
        If you lose it, make a new one: the old one then works for {LIMITS.webhookSecretHours} more hours.
      </p>
      <div className="dialog-footer">
        <Button variant="outline" onClick={() => void handleCopy()}>
          Copy
        </Button>
        <Button onClick={onDone}>I have saved it</Button>
      </div>
    </>
  );
};
