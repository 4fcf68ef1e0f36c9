import { clsx as cn } from 'clsx';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import type { MessageAd } from '../../../../contract/messages.ts';
import { NoPhoto } from '../ads/category-icon.tsx';

interface AdTitleProps {
  ad: Pick<MessageAd, 'id' | 'title' | 'isDeleted'>;
  className?: string;
  /** Of a title that is cut off: at its own end, not at that of the page's direction. */
  dir?: 'auto';
}

/** Of a deleted ad, the API tells no title. */
export const toTitle = ({ title, isDeleted }: Pick<MessageAd, 'title' | 'isDeleted'>): string =>
  isDeleted ? t('states.deletedAd') : title;

export const AdTitle = ({ ad, className = 'line-clamp-2 font-medium', dir }: AdTitleProps) =>
  ad.isDeleted ? (
    <span className="font-medium text-muted-foreground">{toTitle(ad)}</span>
  ) : (
    <Link to={`/ads/${ad.id}`} dir={dir} className={cn('hover:underline', className)}>
      <bdi>{ad.title}</bdi>
    </Link>
  );

interface MessageAdThumbProps {
  ad: Pick<MessageAd, 'thumbUrl' | 'categorySlug'>;
  className: string;
}

export const MessageAdThumb = ({ ad: { thumbUrl, categorySlug }, className }: MessageAdThumbProps) =>
  thumbUrl ? (
    <img
      src={thumbUrl}
      alt=""
      loading="lazy"
      className={`${className} shrink-0 rounded-control bg-muted object-cover`}
    />
  ) : (
    <div className={`${className} shrink-0 overflow-hidden rounded-control`}>
      <NoPhoto slug={categorySlug} />
    </div>
  );
