import { clsx as cn } from 'clsx';
import { ChevronLeft, ChevronRight, ImagePlus, type LucideIcon, Star, X } from 'lucide-react';
import { type ComponentProps, type DragEvent, useId, useRef, useState } from 'react';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import type { FormPhoto, Photos } from './use-photos.ts';

export const PhotoField = ({ photos, maxBytesLabel }: { photos: Photos; maxBytesLabel: string }) => {
  const errorId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const listRef = useRef<HTMLUListElement>(null);
  const browseRef = useRef<HTMLButtonElement>(null);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const [isOver, setOver] = useState(false);
  const isFull = photos.list.length >= photos.max;

  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    photos.add([...event.dataTransfer.files]);
  };

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
      {photos.refused.length > 0 ? (
        <ul aria-label="Refused files" className="grid gap-1 text-sm text-destructive">
          {photos.refused.map((reason, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name and reason
            <li key={index} className="break-words">
              {reason}
            </li>
          ))}
        </ul>
      ) : null}
      {photos.hasFailed ? (
        <ul aria-label="Failed uploads" className="grid gap-1 text-sm text-destructive">
          {photos.list.map(({ id, problem }, index) =>
            problem ? <li key={id} className="break-words">{`Photo ${index + 1}: ${problem}`}</li> : null,
          )}
        </ul>
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
            />
          ))}
        </ul>
      ) : null}
      {isFull ? null : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
        <div
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={handleDrop}
          className={cn(
            'flex min-h-40 flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed border-input p-4 text-center transition-colors',
            isOver && 'border-primary bg-accent',
          )}
        >
          <ImagePlus className="size-8 text-muted-foreground" />
          <div className="grid gap-1 text-sm">
            {/* Touch screens cannot drag files. */}
            <p className="font-medium pointer-coarse:hidden">Drag photos here</p>
            <p className="text-muted-foreground">
              Up to {photos.max} photos, {maxBytesLabel} each
            </p>
          </div>
          <Button
            ref={browseRef}
            variant="outline"
            aria-describedby={photos.error ? errorId : undefined}
            onClick={() => inputRef.current?.click()}
          >
            Browse photos
          </Button>
        </div>
      )}
      <input
        ref={inputRef}
        type="file"
        accept="image/*,.heic,.heif,.jpg_large,.jfif"
        multiple
        aria-label="Photos"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          photos.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </div>
  );
};

const DRAGGED = 'application/x-tradepost-picture';

const SlotButton = ({ icon: Icon, className, ...props }: ComponentProps<'button'> & { icon: LucideIcon }) => (
  <button
    type="button"
    className={cn(
      'flex size-11 items-center justify-center rounded-full bg-card/90 text-foreground shadow-raised hover:bg-card disabled:opacity-40 aria-disabled:opacity-40 md:size-8',
      className,
    )}
    {...props}
  >
    <Icon className="size-4" />
  </button>
);

interface PhotoSlotProps {
  photo: FormPhoto;
  index: number;
  count: number;
  onRemove: () => void;
  onMove: (from: number, to: number) => void;
  onRetry: () => void;
}

/**
 * A photo of the form, moved by dragging or with buttons. A button that cannot move it further stays enabled but does
 * nothing, because a disabled button would lose the focus.
 */
export const PhotoSlot = ({ photo, index, count, onRemove, onMove, onRetry }: PhotoSlotProps) => {
  const [isOver, setOver] = useState(false);
  const focusFallback = useFocusFallback<HTMLLIElement>();
  const label = `photo ${index + 1}`;
  const handleDrop = (event: DragEvent) => {
    setOver(false);
    const from = event.dataTransfer.getData(DRAGGED);
    if (from === '') return;
    event.preventDefault();
    event.stopPropagation();
    onMove(Number(from), index);
  };
  return (
    <li
      {...focusFallback}
      tabIndex={-1}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, String(index))}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
      aria-label={`${photo.name}, ${label} of ${count}`}
      className={cn(
        'relative aspect-square overflow-hidden rounded-control border border-border bg-muted',
        isOver && 'ring-2 ring-primary',
      )}
    >
      <SlotContent photo={photo} label={label} onRetry={onRetry} />
      {index === 0 ? (
        <Badge variant="primary" className="absolute top-2 left-2">
          Cover
        </Badge>
      ) : (
        <SlotButton
          icon={Star}
          aria-label={`Make ${label} the cover`}
          title={`Make ${label} the cover`}
          className="absolute top-1.5 left-1.5"
          onClick={() => onMove(index, 0)}
        />
      )}
      <SlotButton icon={X} aria-label={`Remove ${label}`} className="absolute top-1.5 right-1.5" onClick={onRemove} />
      <div className="absolute inset-x-1.5 bottom-1.5 flex justify-between">
        <SlotButton
          icon={ChevronLeft}
          aria-label={`Move ${label} forward`}
          aria-disabled={index === 0}
          onClick={() => onMove(index, index - 1)}
        />
        <SlotButton
          icon={ChevronRight}
          aria-label={`Move ${label} back`}
          aria-disabled={index === count - 1}
          onClick={() => onMove(index, index + 1)}
        />
      </div>
    </li>
  );
};

interface SlotContentProps {
  photo: FormPhoto;
  label: string;
  onRetry: () => void;
}

const SlotContent = ({ photo, label, onRetry }: SlotContentProps) => {
  const { value, preview, progress, problem } = photo;
  if (!preview)
    return (
      <div
        role="status"
        className="flex size-full flex-col items-center justify-center gap-2 p-2 text-xs text-muted-foreground"
      >
        <Spinner className="size-5" />
        Preparing…
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
            <progress value={progress} max={1} aria-label={`Uploading ${label}`} className="progress-bar w-4/5" />
          ) : (
            <Button variant="outline" size="sm" aria-label={`Try again to upload ${label}`} onClick={onRetry}>
              Try again
            </Button>
          )}
        </div>
      ) : null}
    </>
  );
};
