import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
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
      toast({ title: 'Token copied' });
    } catch {
      toast.error('Your browser does not allow it. The token is selected: copy it with the keyboard.', 'Not copied');
    }
  };
  return (
    <div className="grid gap-4">
      <Field label="Access token" hint="Keep it like a password. Programs send it as “Authorization: Bearer …”.">
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
          Done
        </Button>
        <Button onClick={() => void handleCopy()}>
          <Copy /> Copy
        </Button>
      </div>
    </div>
  );
};
