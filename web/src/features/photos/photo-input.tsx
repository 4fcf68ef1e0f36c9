import type { RefObject } from 'react';
import { t } from '../../../../contract/i18n.ts';
import type { Photos } from './use-photos.ts';

/** What a person may choose. Some browsers know no type for these endings of names. */
const PHOTO_FILES = 'image/*,.heic,.heif,.jpg_large,.jfif';

/** The file field of a button that adds photos: out of sight, and opened by its click. */
export const PhotoInput = ({ ref, photos }: { ref: RefObject<HTMLInputElement | null>; photos: Photos }) => (
  <input
    ref={ref}
    type="file"
    accept={PHOTO_FILES}
    multiple
    aria-label={t('photos.photos')}
    tabIndex={-1}
    className="sr-only"
    onChange={(event) => {
      photos.add([...(event.target.files ?? [])]);
      event.target.value = '';
    }}
  />
);
