import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

/** Shows a secret, once. */
export const NewSecret = ({ secret, onDone }: { secret: string | undefined; onDone: () => void }) => (
  <Dialog
    open={secret !== undefined}
    onOpenChange={onDone}
    title={t('webhooks.secretTitle')}
    description={t('webhooks.secretText')}
    className="sm:max-w-md"
  >
    <Secret secret={secret ?? ''} onDone={onDone} />
  </Dialog>
);

const Secret = ({ secret, onDone }: { secret: string; onDone: () => void }) => {
  const toast = useToast();
  const handleCopy = () =>
    navigator.clipboard.writeText(secret).then(
      () => toast({ title: t('webhooks.secretCopied') }),
      () => toast.error(t('webhooks.copyRefused')),
    );
  return (
    <>
      <p className="rounded-control bg-muted p-4 font-mono text-sm break-all select-all">{secret}</p>
      <p className="text-sm text-muted-foreground">{t('webhooks.secretLost', { count: LIMITS.webhookSecretHours })}</p>
      <div className="dialog-footer">
        <Button variant="outline" onClick={() => void handleCopy()}>
          {t('webhooks.copy')}
        </Button>
        <Button onClick={onDone}>{t('webhooks.haveSaved')}</Button>
      </div>
    </>
  );
};
