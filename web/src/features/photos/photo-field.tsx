import { ImagePlus } from 'lucide-react';
import { useId, useRef } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { Button } from '../../ui/button.tsx';
import { DropArea } from '../../ui/drop-area.tsx';
import { PhotoInput } from './photo-input.tsx';
import type { PhotoSlotProps } from './photo-slot.tsx';
import type { Photos } from './use-photos.ts';

// needed once there is a photo
const PhotoSlot = lazyWithRetry<PhotoSlotProps>(
  () => import('./photo-slot.tsx').then((module) => module.PhotoSlot),
  () => null,
  <li className="skeleton aspect-square rounded-card" />,
);

export const PhotoField = ({ photos }: { photos: Photos }) => {
  const errorId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const listRef = useRef<HTMLUListElement>(null);
  const browseRef = useRef<HTMLButtonElement>(null);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const isFull = photos.list.length >= photos.max;

  // The button that was just removed had the focus.
  const handleRemove = (id: string, index: number) => {
    const { children } = listRef.current as HTMLUListElement;
    const neighbour = children[index + 1] ?? children[index - 1] ?? browseRef.current;
    if (neighbour instanceof HTMLElement) neighbour.focus();
    photos.remove(id);
  };

  return (
    <div {...focusFallback} tabIndex={-1} className="grid gap-3">
      {photos.error ? (
        <p id={errorId} data-error tabIndex={-1} className="text-sm text-destructive">
          {photos.error}
        </p>
      ) : null}
      {photos.list.length > 0 ? (
        <ul ref={listRef} className="grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-5">
          {photos.list.map((photo, index) => (
            <PhotoSlot
              key={photo.id}
              photo={photo}
              index={index}
              count={photos.list.length}
              onRemove={() => handleRemove(photo.id, index)}
              onMove={photos.move}
              onRetry={() => photos.retry(photo.id)}
              onRotate={() => void photos.rotate(photo.id)}
            />
          ))}
        </ul>
      ) : null}
      {isFull ? null : (
        <DropArea onDrop={(files) => photos.add([...files])}>
          <ImagePlus className="size-8 text-muted-foreground" />
          <div className="grid gap-1 text-sm">
            {/* Touch screens cannot drag files. */}
            <p className="font-medium pointer-coarse:hidden">{t('photos.dragHere')}</p>
            <p className="text-muted-foreground">{t('photos.upTo', { count: photos.max })}</p>
          </div>
          <Button
            ref={browseRef}
            variant="outline"
            aria-describedby={photos.error ? errorId : undefined}
            onClick={() => inputRef.current?.click()}
          >
            {t('photos.browse')}
          </Button>
        </DropArea>
      )}
      {photos.refused.length > 0 ? (
        <ul aria-label={t('photos.refusedFiles')} className="grid gap-1 text-sm text-destructive">
          {photos.refused.map((reason, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name and reason
            <li key={index} className="break-words">
              {reason}
            </li>
          ))}
        </ul>
      ) : null}
      {photos.hasFailed ? (
        <ul aria-label={t('photos.failedUploads')} className="grid gap-1 text-sm text-destructive">
          {photos.list.map(({ id, problem }, index) =>
            problem ? (
              <li key={id} className="break-words">
                {t('photos.photoProblem', { number: index + 1, problem })}
              </li>
            ) : null,
          )}
        </ul>
      ) : null}
      <PhotoInput ref={inputRef} photos={photos} />
    </div>
  );
};
