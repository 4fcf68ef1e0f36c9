import { Send } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';

interface ComposerProps {
  draftKey: string;
  isSending: boolean;
  onSend: (content: string) => void;
}

export const Composer = ({ draftKey, isSending, onSend }: ComposerProps) => {
  const [text, setText] = useState(() => readStored('sessionStorage', draftKey) ?? '');
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const change = (value: string) => {
    setText(value);
    writeStored('sessionStorage', draftKey, value || null);
  };
  const room = useCharacterCount(text, LIMITS.message);
  const isSendable = text.trim() !== '' && !room.isOver && !isSending;

  const handleSubmit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isSendable) return;
    // The disabled button lost the focus while sending.
    fieldRef.current?.focus({ preventScroll: true });
    change('');
    onSend(text.trim());
  };

  return (
    <form onSubmit={handleSubmit} className="grid gap-3">
      <Field label="Message" hideLabel {...room.field}>
        <Textarea
          ref={fieldRef}
          rows={3}
          placeholder="Write your message..."
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
        <Button type="submit" disabled={!isSendable}>
          {isSending ? <Spinner /> : <Send aria-hidden="true" />}
          Send Message
        </Button>
      </div>
    </form>
  );
};
