import { clsx as cn } from 'clsx';
import { ImageOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { MessageAd } from '../../../../contract/messages.ts';

interface AdTitleProps {
  ad: Pick<MessageAd, 'id' | 'title' | 'isDeleted'>;
  className?: string;
}

export const AdTitle = ({ ad, className = 'line-clamp-2 font-medium' }: AdTitleProps) =>
  ad.isDeleted ? (
    <span className="font-medium text-muted-foreground">{ad.title}</span>
  ) : (
    <Link to={`/ads/${ad.id}`} className={cn('hover:underline', className)}>
      <bdi>{ad.title}</bdi>
    </Link>
  );

export const MessageAdThumb = ({ ad, className }: { ad: Pick<MessageAd, 'thumbUrl'>; className: string }) =>
  ad.thumbUrl ? (
    <img
      src={ad.thumbUrl}
      alt=""
      loading="lazy"
      className={`${className} shrink-0 rounded-control bg-muted object-cover`}
    />
  ) : (
    <span
      aria-hidden="true"
      className={`${className} flex shrink-0 items-center justify-center rounded-control bg-muted text-muted-foreground`}
    >
      <ImageOff className="size-6" />
    </span>
  );
