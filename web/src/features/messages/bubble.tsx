import { clsx as cn } from 'clsx';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import type { MessagePhoto } from '../../../../contract/messages.ts';
import { TimeAgo } from '../../ui/local-date.tsx';
import { Rich } from '../../ui/rich.tsx';
import { splitLinks, toOwnPath } from './links.ts';
import { MessagePhotos } from './message-photos.tsx';

interface MessageBubbleProps {
  photos?: readonly MessagePhoto[] | undefined;
  isOwn: boolean;
  sender: string;
  content: string;
  createdAt?: string;
  /** The message follows another one of its sender: its label shows under the pointer only. */
  isGrouped?: boolean;
  status?: ReactNode;
  menu?: ReactNode;
  /** Shown in place of the text. */
  offer?: ReactNode;
  /** A folded warning shows two words, and the sentence when the user unfolds it. */
  warning?: 'unfolded' | 'folded' | null;
  /** Opens an address of another site. */
  onLink: (url: URL) => void;
}

export const MessageBubble = (props: MessageBubbleProps) => {
  const { isOwn, sender, content, createdAt, photos = [], isGrouped, status, menu, offer, warning, onLink } = props;
  const isTextShown = photos.length === 0 || content !== '';
  return (
    <li
      className={cn(
        'group relative flex max-w-[85%] flex-col gap-1 sm:max-w-[75%]',
        isOwn ? 'items-end self-end' : 'items-start self-start',
        isGrouped ? 'mt-1' : 'mt-3',
      )}
    >
      <div
        className={cn(
          'flex max-w-full items-center gap-2 px-1 text-xs text-muted-foreground',
          isGrouped && 'not-group-hover:sr-only group-hover:absolute group-hover:top-2 group-hover:whitespace-nowrap',
          isGrouped && (isOwn ? 'group-hover:end-full' : 'group-hover:start-full group-hover:ms-9'),
        )}
      >
        <bdi className={cn('truncate font-medium', isGrouped && 'sr-only')}>{isOwn ? t('messages.you') : sender}</bdi>
        {createdAt ? <TimeAgo iso={createdAt} className="shrink-0" /> : null}
      </div>
      <div className="flex max-w-full items-center gap-1">
        {offer ?? (
          <div className={cn('grid min-w-0 gap-1', isOwn ? 'justify-items-end' : 'justify-items-start')}>
            {photos.length > 0 ? <MessagePhotos photos={photos} from={isOwn ? null : sender} /> : null}
            {isTextShown ? (
              <p
                dir="auto"
                className={cn(
                  'max-w-full rounded-2xl px-3.5 py-2 text-[0.9375rem] break-words whitespace-pre-wrap',
                  isOwn ? 'bg-primary text-primary-foreground' : 'bg-muted',
                  isGrouped || (isOwn ? 'rounded-se-md' : 'rounded-ss-md'),
                )}
              >
                <MessageText content={content} onLink={onLink} />
              </p>
            ) : null}
          </div>
        )}
        {menu}
      </div>
      {warning === 'folded' ? (
        <details className="rounded-control text-xs text-warning open:bg-warning-soft open:px-3 open:pb-2">
          <summary className="flex min-h-6 w-fit cursor-pointer items-center gap-1.5 rounded px-1 font-medium">
            <TriangleAlert className="size-3.5" />
            {t('messages.beCareful')}
          </summary>
          <WarningText />
        </details>
      ) : warning ? (
        <div className="flex gap-2 rounded-control bg-warning-soft px-3 py-2 text-sm text-warning">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" />
          <WarningText />
        </div>
      ) : null}
      {status ? <div className="flex items-center gap-2 px-1 text-xs text-muted-foreground">{status}</div> : null}
    </li>
  );
};

const WarningText = () => (
  <p>
    <Rich
      text={t('messages.warning')}
      tips={(words) => (
        <Link to="/safety-tips" className="font-medium underline underline-offset-2">
          {words}
        </Link>
      )}
    />
  </p>
);

/** Links are buttons, not anchors: no click, not even one that opens a tab, gets around the dialog. */
const MessageText = ({ content, onLink }: Pick<MessageBubbleProps, 'content' | 'onLink'>) =>
  splitLinks(content).map((part, index) => {
    if (typeof part === 'string') return part;
    const { text, url } = part;
    const props = {
      dir: 'ltr',
      className: 'cursor-pointer rounded underline underline-offset-2',
    };
    const ownPath = toOwnPath(url);
    const key = `${index} ${text}`;
    return ownPath === null ? (
      // biome-ignore lint/a11y/useSemanticElements: the text of a button element does not wrap with the text around it
      <span
        key={key}
        role="button"
        tabIndex={0}
        aria-haspopup="dialog"
        onClick={() => onLink(url)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          onLink(url);
        }}
        {...props}
      >
        {text}
      </span>
    ) : (
      <Link key={key} to={ownPath} {...props}>
        {text}
      </Link>
    );
  });
