import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Textarea } from '../../ui/textarea.tsx';

interface ComposerProps {
  /** Names the draft, which survives a reload. */
  draftKey: string;
  isSending: boolean;
  onSend: (content: string) => Promise<boolean>;
}

export const Composer = ({ draftKey, isSending, onSend }: ComposerProps) => {
  const [text, setText] = useState(() => readStored('sessionStorage', draftKey) ?? '');
  const change = (value: string) => {
    setText(value);
    writeStored('sessionStorage', draftKey, value || null);
  };
  const isBlank = text.trim() === '';

  const handleSubmit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isBlank || isSending) return;
    change('');
    void onSend(text.trim());
  };

  return (
    <form onSubmit={handleSubmit} className="grid gap-3">
      <Field label="Message" hideLabel>
        <Textarea
          rows={3}
          placeholder="Write your message..."
          maxLength={LIMITS.message}
          value={text}
          className="max-h-48"
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) handleSubmit();
          }}
        />
      </Field>
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-muted-foreground max-md:invisible">Ctrl + Enter sends</p>
        <Button type="submit" disabled={isBlank || isSending}>
          {isSending ? <Spinner /> : <Send aria-hidden="true" />}
          Send Message
        </Button>
      </div>
    </form>
  );
};
