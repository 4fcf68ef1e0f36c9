import { clsx as cn } from 'clsx';
import { X } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { SLOT_BUTTON, SlotContent } from '../photos/photo-slot.tsx';
import type { Photos } from '../photos/use-photos.ts';

/** The chosen photos above the field, each with its progress. */
export const PhotoStrip = ({ photos }: { photos: Photos }) => (
  <ul aria-label={t('messages.photosOfMessage')} className="flex flex-wrap gap-2">
    {photos.list.map((photo, index) => (
      <li
        key={photo.id}
        aria-label={photo.name}
        className="relative size-24 overflow-hidden rounded-control border border-border bg-muted"
      >
        <SlotContent photo={photo} number={index + 1} onRetry={() => photos.retry(photo.id)} />
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('messages.removePhoto', { number: index + 1 })}
          className={cn(SLOT_BUTTON, 'absolute top-0.5 end-0.5')}
          onClick={() => photos.remove(photo.id)}
        >
          <X className="size-4" />
        </Button>
      </li>
    ))}
  </ul>
);
