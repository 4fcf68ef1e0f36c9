import { Send } from 'lucide-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { useDraft } from '../../lib/draft.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';

/** Two buttons fit in a row of a phone. */
export const NARROW = 'max-sm:px-3 max-sm:[&_svg]:hidden';

interface ComposerProps {
  draftKey: string;
  isSending: boolean;
  onSend: (content: string) => void;
  /** Texts that one tap writes. */
  proposals?: readonly string[] | undefined;
  /** What else can be sent. */
  children?: ReactNode;
}

export const Composer = ({ draftKey, isSending, onSend, proposals = [], children }: ComposerProps) => {
  const draft = useDraft<string>(draftKey);
  const [text, setText] = useState(() => draft.read() ?? '');
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const change = (value: string) => {
    setText(value);
    draft.write(value || undefined);
  };
  const room = useCharacterCount(text, LIMITS.message);
  const isSendable = text.trim() !== '' && !room.isOver && !isSending;
  // A tap never replaces what the person wrote.
  const areProposalsShown = text === '' || proposals.includes(text);

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
      {proposals.length > 0 && areProposalsShown ? (
        <ul aria-label="Proposed messages" className="flex flex-wrap gap-2">
          {proposals.map((proposal) => (
            <li key={proposal}>
              <Button
                variant="outline"
                className="rounded-full font-normal"
                aria-pressed={text === proposal}
                onClick={() => change(proposal)}
              >
                {proposal}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
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
      <div className="flex flex-wrap items-center justify-end gap-3">
        <div className="grow">{children}</div>
        <p className="text-xs text-muted-foreground max-md:hidden">Ctrl + Enter sends</p>
        <Button type="submit" disabled={!isSendable} className={children ? NARROW : undefined}>
          {isSending ? <Spinner /> : <Send />}
          Send Message
        </Button>
      </div>
    </form>
  );
};
