import { useState } from 'react';
import type { Image } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { toUrl } from '../../../../contract/initial-state.ts';
import { type PhotoSize, viewMessagePhoto } from '../../../../contract/message-photos.ts';
import type { MessagePhoto } from '../../../../contract/messages.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';

const Viewer = lazyWithRetry(() => import('../photos/viewer.tsx').then((module) => module.Viewer));

type ToAddress = (id: string, size: PhotoSize) => string;

const toOwnAddress: ToAddress = (id, size) => toUrl(viewMessagePhoto, { params: { id, size } });

interface MessagePhotosProps {
  photos: readonly MessagePhoto[];
  /** Null: the person who looks. */
  from: string | null;
  /** Staff see photos at addresses of their own. */
  toAddress?: ToAddress;
}

/** The photos of a message. A tap opens the viewer. */
export const MessagePhotos = ({ photos, from, toAddress = toOwnAddress }: MessagePhotosProps) => {
  const [viewed, setViewed] = useState<number>();
  const images = photos.map(
    ({ id, width, height }): Image => ({
      url: toAddress(id, 'full'),
      thumbUrl: toAddress(id, 'thumb'),
      width,
      height,
      color: '#808080',
    }),
  );
  return (
    <ul className="flex max-w-72 flex-wrap gap-1">
      {images.map(({ thumbUrl }, index) => {
        const place = { number: index + 1, total: images.length };
        const name =
          from === null ? t('messages.photoFromYou', place) : t('messages.photoFrom', { ...place, name: from });
        return (
          <li key={thumbUrl} className={images.length === 1 ? 'size-48' : 'size-32'}>
            <button
              type="button"
              aria-haspopup="dialog"
              className="size-full overflow-hidden rounded-control bg-muted"
              onClick={() => setViewed(index)}
            >
              <img src={thumbUrl} alt={name} className="size-full object-cover" />
            </button>
          </li>
        );
      })}
      {viewed === undefined ? null : (
        <Viewer
          images={images}
          title={from === null ? t('messages.photosFromYou') : t('messages.photosFrom', { name: from })}
          initialIndex={viewed}
          onClose={() => setViewed(undefined)}
        />
      )}
    </ul>
  );
};
