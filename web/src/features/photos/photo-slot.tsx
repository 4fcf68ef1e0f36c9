import { clsx as cn } from 'clsx';
import { ChevronLeft, ChevronRight, Ellipsis, RotateCw, Star, X } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { loadActionMenu, MenuButton } from '../../ui/lazy-overlays.tsx';
import type { FormPhoto } from './use-photos.ts';

const DRAGGED = 'application/x-tradepost-picture';

export const SLOT_BUTTON = 'rounded-full bg-card/90 text-foreground shadow-raised hover:bg-card';

/** By how many places an arrow key moves a photo. */
const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export interface PhotoSlotProps {
  photo: FormPhoto;
  index: number;
  count: number;
  onRemove: () => void;
  onMove: (from: number, to: number) => void;
  onRetry: () => void;
  onRotate: () => void;
}

/** A photo of the form. It is moved by dragging, with the arrow keys, or by its menu. */
export const PhotoSlot = ({ photo, index, count, onRemove, onMove, onRetry, onRotate }: PhotoSlotProps) => {
  const [isOver, setOver] = useState(false);
  const focusFallback = useFocusFallback<HTMLLIElement>();
  const number = index + 1;
  const handleDrop = (event: DragEvent) => {
    setOver(false);
    const from = event.dataTransfer.getData(DRAGGED);
    if (from === '') return;
    event.preventDefault();
    event.stopPropagation();
    onMove(Number(from), index);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.target !== event.currentTarget || !isPlace(index + step)) return;
    event.preventDefault();
    onMove(index, index + step);
  };
  const isPlace = (to: number): boolean => to >= 0 && to < count;
  const actions = [
    ...(index > 0 ? [{ icon: Star, label: t('photos.makeCover'), onSelect: () => onMove(index, 0) }] : []),
    ...(isPlace(index - 1)
      ? [{ icon: ChevronLeft, label: t('photos.moveForward'), onSelect: () => onMove(index, index - 1) }]
      : []),
    ...(isPlace(index + 1)
      ? [{ icon: ChevronRight, label: t('photos.moveBack'), onSelect: () => onMove(index, index + 1) }]
      : []),
    { icon: RotateCw, label: t('photos.rotate'), onSelect: onRotate },
  ];
  return (
    <li
      {...focusFallback}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move it
      tabIndex={0}
      onKeyDown={handleKey}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, String(index))}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
      aria-label={t('photos.place', { name: photo.name, number, total: count })}
      className={cn(
        'relative aspect-square overflow-hidden rounded-control border border-border bg-muted',
        isOver && 'ring-2 ring-primary',
      )}
    >
      <SlotContent photo={photo} number={number} onRetry={onRetry} />
      {index === 0 ? (
        <Badge variant="primary" className="absolute bottom-2 start-2">
          {t('photos.cover')}
        </Badge>
      ) : null}
      <div className="absolute top-1.5 start-1.5">
        <MenuButton
          label={t('photos.change', { number })}
          load={loadActionMenu}
          menu={{ title: t('photos.menuTitle', { number }), actions }}
          className={SLOT_BUTTON}
        >
          <Ellipsis className="size-4" />
        </MenuButton>
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('photos.remove', { number })}
        className={cn(SLOT_BUTTON, 'absolute top-1.5 end-1.5')}
        onClick={onRemove}
      >
        <X className="size-4" />
      </Button>
    </li>
  );
};

interface SlotContentProps {
  photo: FormPhoto;
  /** Its place, from 1 on. */
  number: number;
  onRetry: () => void;
}

export const SlotContent = ({ photo, number, onRetry }: SlotContentProps) => {
  const { value, preview, progress, problem } = photo;
  if (!preview)
    return (
      <div
        role="status"
        className="flex size-full flex-col items-center justify-center gap-2 p-2 text-xs text-muted-foreground"
      >
        <Spinner className="size-5" />
        {t('photos.preparing')}
      </div>
    );
  return (
    <>
      <img
        src={preview}
        alt=""
        draggable={false}
        className={cn('size-full object-cover transition-opacity', value === null && 'opacity-50')}
      />
      {value === null ? (
        <div className="absolute inset-0 flex items-center justify-center p-3">
          {problem === undefined ? (
            <progress
              value={progress}
              max={1}
              aria-label={t('photos.uploading', { number })}
              className="progress-bar w-4/5"
            />
          ) : (
            <Button variant="outline" size="sm" aria-label={t('photos.retryUpload', { number })} onClick={onRetry}>
              {t('shell.tryAgain')}
            </Button>
          )}
        </div>
      ) : null}
    </>
  );
};
