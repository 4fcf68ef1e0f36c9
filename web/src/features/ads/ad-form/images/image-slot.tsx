import { ChevronLeft, ChevronRight, Star, X } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { cn } from '../../../../lib/cn.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useHeldFocus } from '../../../../ui/use-held-focus.ts';
import type { FormImage } from './use-images.ts';

const DRAGGED = 'application/x-tradepost-picture';
const CONTROL =
  'flex size-11 items-center justify-center rounded-full bg-card/90 text-foreground shadow-raised hover:bg-card disabled:opacity-40 aria-disabled:opacity-40 md:size-8';

interface ImageSlotProps {
  image: FormImage;
  index: number;
  count: number;
  onRemove: () => void;
  onMove: (from: number, to: number) => void;
}

/**
 * One picture of the form: dragged to another place, or moved there with its buttons. Those that would move it no further
 * do nothing, but keep the focus, which a disabled button loses.
 */
export const ImageSlot = ({ image, index, count, onRemove, onMove }: ImageSlotProps) => {
  const [isOver, setOver] = useState(false);
  const heldFocus = useHeldFocus<HTMLLIElement>();
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
      {...heldFocus}
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
      aria-label={`${image.name}, ${label} of ${count}`}
      className={cn(
        'relative aspect-square overflow-hidden rounded-control border border-border bg-muted',
        isOver && 'ring-2 ring-primary',
      )}
    >
      <SlotContent image={image} />
      {index === 0 ? (
        <Badge variant="primary" className="absolute top-2 left-2">
          Cover
        </Badge>
      ) : (
        <button
          type="button"
          aria-label={`Make ${label} the cover`}
          title="Make cover"
          className={cn(CONTROL, 'absolute top-1.5 left-1.5')}
          onClick={() => onMove(index, 0)}
        >
          <Star aria-hidden="true" className="size-4" />
        </button>
      )}
      <button
        type="button"
        aria-label={`Remove ${label}`}
        className={cn(CONTROL, 'absolute top-1.5 right-1.5')}
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </button>
      <div className="absolute inset-x-1.5 bottom-1.5 flex justify-between">
        <button
          type="button"
          aria-label={`Move ${label} forward`}
          aria-disabled={index === 0}
          className={CONTROL}
          onClick={() => onMove(index, index - 1)}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
        </button>
        <button
          type="button"
          aria-label={`Move ${label} back`}
          aria-disabled={index === count - 1}
          className={CONTROL}
          onClick={() => onMove(index, index + 1)}
        >
          <ChevronRight aria-hidden="true" className="size-4" />
        </button>
      </div>
    </li>
  );
};

const SlotContent = ({ image }: { image: FormImage }) => {
  if (image.preview) return <img src={image.preview} alt="" draggable={false} className="size-full object-cover" />;
  return (
    <div
      role="status"
      className="flex size-full flex-col items-center justify-center gap-2 p-2 text-xs text-muted-foreground"
    >
      <Spinner className="size-5" />
      Preparing…
    </div>
  );
};
