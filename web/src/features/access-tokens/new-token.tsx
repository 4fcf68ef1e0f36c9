import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/form-controls.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

/** The only time that a token is shown. */
export const NewToken = ({ token, onDone }: { token: string; onDone: () => void }) => {
  const toast = useToast();
  const fieldRef = useRef<HTMLInputElement>(null);
  // the focused button of the form is gone
  useEffect(() => fieldRef.current?.focus(), []);
  const handleCopy = async () => {
    fieldRef.current?.select();
    try {
      await navigator.clipboard.writeText(token);
      toast({ title: t('tokens.copied') });
    } catch {
      toast.error(t('tokens.notCopiedText'), t('tokens.notCopied'));
    }
  };
  return (
    <div className="grid gap-4">
      <Field label={t('tokens.label')} hint={t('tokens.hint')}>
        <Input
          ref={fieldRef}
          readOnly
          value={token}
          className="font-mono text-sm"
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
      <div className="dialog-footer">
        <Button variant="outline" onClick={onDone}>
          {t('tokens.done')}
        </Button>
        <Button onClick={() => void handleCopy()}>
          <Copy /> {t('tokens.copy')}
        </Button>
      </div>
    </div>
  );
};
