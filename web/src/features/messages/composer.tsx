import { clsx as cn } from 'clsx';
import { Send } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { isWide } from '../../hooks/use-is-wide.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { useDraft } from '../../lib/draft.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';
import { AddPhotos, useMessagePhotos } from './add-photos.tsx';
import { ToolButton } from './tool-button.tsx';

// needed once there is a photo
const PhotoStrip = lazyWithRetry(
  () => import('./photo-strip.tsx').then((module) => module.PhotoStrip),
  () => null,
);

interface ComposerProps {
  draftKey: string;
  isSending: boolean;
  /** `imageIds`: of uploaded photos. Without them the text is not empty. */
  onSend: (content: string, imageIds: string[]) => void;
  /** Texts that one tap writes. */
  proposals?: readonly string[] | undefined;
  /** On a phone: one row, which grows to five, with the buttons beside it. */
  isPinned?: boolean | undefined;
  /** What else can be sent. */
  children?: ReactNode;
}

export const Composer = ({ draftKey, isSending, onSend, proposals = [], isPinned, children }: ComposerProps) => {
  const draft = useDraft<string>(draftKey);
  const photoDraft = useDraft<string[]>(`${draftKey}:photos`);
  const [text, setText] = useState(() => draft.read() ?? '');
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const change = (value: string) => {
    setText(value);
    draft.write(value || undefined);
  };
  const room = useCharacterCount(text, LIMITS.message);
  const photos = useMessagePhotos(photoDraft);
  useEffect(() => {
    // A page is opened to write. On a touch screen that would open the keyboard.
    if (isPinned && isWide() && matchMedia('(pointer: fine)').matches) fieldRef.current?.focus({ preventScroll: true });
  }, [isPinned]);
  const hasContent = text.trim() !== '' || photos.list.length > 0;
  const isSendable = hasContent && !photos.isUnsent && !room.isOver && !isSending;
  // A tap never replaces what the person wrote.
  const areProposalsShown = text === '' || proposals.includes(text);

  const handleSubmit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isSendable) return;
    // The disabled button lost the focus while sending.
    fieldRef.current?.focus({ preventScroll: true });
    change('');
    onSend(
      text.trim(),
      photos.list.flatMap(({ value }) => value ?? []),
    );
    photos.reset([]);
  };

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    if (!isWide() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    handleSubmit();
  };

  const addFiles = (event: DragEvent | ClipboardEvent, { files }: DataTransfer) => {
    if (files.length === 0) return;
    event.preventDefault();
    photos.add([...files]);
  };

  return (
    <form
      onSubmit={handleSubmit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => addFiles(event, event.dataTransfer)}
      onPaste={(event) => addFiles(event, event.clipboardData)}
      data-pinned={isPinned || undefined}
      className={cn('grid gap-3', isPinned && 'max-lg:gap-2')}
    >
      {proposals.length > 0 && areProposalsShown ? (
        <ul aria-label={t('messages.proposedMessages')} className="flex flex-wrap gap-2">
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
      {photos.list.length > 0 ? <PhotoStrip photos={photos} /> : null}
      <div className={cn('grid gap-3', isPinned && 'max-lg:flex max-lg:flex-wrap max-lg:items-end max-lg:gap-2')}>
        <Field label={t('messages.message')} hideLabel className="min-w-0 grow basis-32" {...room.field}>
          <Textarea
            ref={fieldRef}
            data-takes-focus
            rows={3}
            placeholder={t('messages.placeholder')}
            value={text}
            className={cn('max-h-[calc(5lh+1.375rem)]', isPinned && 'max-lg:min-h-11! max-lg:resize-none')}
            onChange={(event) => change(event.target.value)}
            onKeyDown={handleKeyDown}
          />
        </Field>
        <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 max-lg:in-data-pinned:gap-2">
          <div className="flex min-w-0 grow flex-wrap gap-2">
            <AddPhotos photos={photos} />
            {children}
          </div>
          <p className="text-xs text-muted-foreground max-lg:hidden">{t('messages.enterSends')}</p>
          <ToolButton
            type="submit"
            disabled={!isSendable}
            icon={isSending ? <Spinner /> : <Send />}
            label={t('messages.sendMessage')}
          />
        </div>
      </div>
    </form>
  );
};
