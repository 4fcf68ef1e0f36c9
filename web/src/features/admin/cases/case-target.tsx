import { clsx as cn } from 'clsx';
import { diffWordsWithSpace } from 'diff';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../../contract/i18n.ts';
import { toUrl } from '../../../../../contract/initial-state.ts';
import { toPriceText } from '../../../../../contract/prices.ts';
import { type Case, type CaseTarget, viewCasePhoto } from '../../../../../contract/reports.ts';
import { Badge } from '../../../ui/card.tsx';
import { TimeAgo } from '../../../ui/local-date.tsx';
import { MessagePhotos } from '../../messages/message-photos.tsx';
import { toStateText } from './case-texts.ts';

interface PartProps {
  title: ReactNode;
  className?: string;
  children: ReactNode;
}

export const Part = ({ title, className, children }: PartProps) => (
  <section className={cn('grid min-w-0 content-start gap-2', className)}>
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
);

/** The target of a case: as it is now and, if it was edited since the first report, also as it was then. */
export const CaseTargetView = ({ data }: { data: Case }) => {
  const { reported, now, isEdited } = data;
  if (reported.messages.length > 0) return <Messages data={data} />;
  if (!now || now.isGone)
    return (
      <Part title={t('moderation.asReported')}>
        <p className="text-sm text-muted-foreground">{t('moderation.isGone')}</p>
        <Version target={reported} />
      </Part>
    );
  if (!isEdited)
    return (
      <Part title={data.targetType === 'user' ? t('moderation.profile') : t('moderation.now')}>
        <Version target={now} />
      </Part>
    );
  return (
    <div className="grid gap-4 md:grid-cols-2 md:gap-y-0">
      <Part title={t('moderation.now')} className={IN_FIVE_ROWS}>
        <Version target={now} other={reported} isNew />
      </Part>
      <Part title={t('moderation.asReported')} className={IN_FIVE_ROWS}>
        <Version target={reported} other={now} />
      </Part>
    </div>
  );
};

/** The heading and the four rows of each version share their height with those of the version beside it. */
const IN_FIVE_ROWS = 'md:row-span-5 md:grid-rows-subgrid';

interface VersionProps {
  target: CaseTarget;
  /** The version to compare with. */
  other?: CaseTarget;
  isNew?: boolean;
}

const Version = ({ target, other, isNew = false }: VersionProps) => {
  const compared = (pick: (version: CaseTarget) => string | null): ReactNode => {
    const text = pick(target) ?? '';
    return other ? <Compared text={text} other={pick(other) ?? ''} isNew={isNew} /> : text;
  };
  const toPrice = ({ price, priceType }: CaseTarget) => price && toPriceText({ price, priceType });
  return (
    <div
      className={cn(
        'grid content-start rounded-card border border-border bg-card p-4',
        other && 'md:row-span-4 md:grid-rows-subgrid',
      )}
    >
      <p className="row-start-1 font-medium wrap-anywhere">
        {target.url ? (
          <Link to={target.url} className="prose-link">
            {compared(({ title }) => title)}
          </Link>
        ) : (
          compared(({ title }) => title)
        )}
      </p>
      <p className="row-start-2 mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground empty:hidden">
        {target.price ? <span className="font-semibold text-foreground">{compared(toPrice)}</span> : null}
        {target.category ? <span>{compared(({ category }) => category)}</span> : null}
        {target.state ? <Badge>{toStateText(target.state)}</Badge> : null}
      </p>
      {target.imageUrls.length > 0 ? (
        <Images urls={target.imageUrls} others={other?.imageUrls} isNew={isNew} />
      ) : other && other.imageUrls.length > 0 ? (
        <p className="row-start-3 mt-3 text-sm text-muted-foreground">{t('moderation.noPhotos')}</p>
      ) : null}
      {target.text ? (
        <p dir="auto" className="row-start-4 mt-3 text-sm break-words whitespace-pre-line [unicode-bidi:plaintext]">
          {compared(({ text }) => text)}
        </p>
      ) : null}
    </div>
  );
};

/** The words that only this version has are marked: `ins` in the new version, `del` in the old one. */
const Compared = ({ text, other, isNew }: { text: string; other: string; isNew: boolean }) => {
  const parts = isNew ? diffWordsWithSpace(other, text) : diffWordsWithSpace(text, other);
  return parts
    .filter((part) => (isNew ? !part.removed : !part.added))
    .map((part, index) => {
      const isMarked = part.added || part.removed;
      const Tag = isMarked ? (isNew ? 'ins' : 'del') : 'span';
      const color = isNew ? 'bg-success-soft text-success' : 'bg-warning-soft text-warning';
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity
        <Tag key={index} className={isMarked ? `rounded ${color}` : undefined}>
          {part.value}
        </Tag>
      );
    });
};

const Images = ({ urls, others, isNew }: { urls: string[]; others: string[] | undefined; isNew: boolean }) => (
  <ul className="row-start-3 mt-3 flex flex-wrap content-start gap-2">
    {urls.map((url, index) => {
      const isOnlyHere = others !== undefined && !others.includes(url);
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: an ad may have the same photo twice
        <li key={index} className="grid justify-items-center gap-1">
          <a href={url} target="_blank" rel="noopener">
            <img
              src={url}
              alt={t('moderation.imageOf', { index: index + 1, count: urls.length })}
              className={cn(
                'size-24 rounded-control bg-muted object-cover',
                isOnlyHere && 'outline-2 outline-offset-1 outline-warning',
              )}
            />
          </a>
          {isOnlyHere ? (
            <Badge variant={isNew ? 'success' : 'warning'}>
              {isNew ? t('moderation.added') : t('moderation.removed')}
            </Badge>
          ) : null}
        </li>
      );
    })}
  </ul>
);

const Messages = ({ data: { id, reported, person, reports } }: { data: Case }) => {
  const nameOf = (senderId: string): string =>
    senderId === person.id
      ? person.displayName
      : (reports.find(({ reporter }) => reporter.id === senderId)?.reporter.displayName ?? t('moderation.otherPerson'));
  return (
    <Part title={t('moderation.reportedMessage')}>
      <p className="text-sm text-muted-foreground">{t('moderation.copiesNote')}</p>
      <ol className="grid gap-3 rounded-card border border-border bg-card p-4">
        {reported.messages.map((message, index) => {
          const isReported = index === reported.messages.length - 1;
          return (
            <li
              key={message.id}
              className={cn(
                'grid gap-1 text-sm',
                isReported && '-mx-2 rounded-control bg-warning-soft p-2 text-warning',
              )}
            >
              <p className={cn('flex gap-2 text-xs', isReported || 'text-muted-foreground')}>
                <bdi className="truncate font-medium">{nameOf(message.senderId)}</bdi>
                <TimeAgo iso={message.createdAt} className="shrink-0" />
                {isReported ? <span className="ms-auto font-medium">{t('moderation.reported')}</span> : null}
              </p>
              {message.photos ? (
                <MessagePhotos
                  photos={message.photos}
                  from={nameOf(message.senderId)}
                  toAddress={(photoId, size) => toUrl(viewCasePhoto, { params: { id, photoId, size } })}
                />
              ) : null}
              <p dir="auto" className="break-words whitespace-pre-wrap">
                {message.content}
              </p>
            </li>
          );
        })}
      </ol>
    </Part>
  );
};
