import { ImagePlus } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { cn } from '../../../../lib/cn.ts';
import { Button } from '../../../../ui/button.tsx';
import { useHeldFocus } from '../../../../ui/use-held-focus.ts';
import { ImageSlot } from './image-slot.tsx';
import type { Images } from './use-images.ts';

/** Drop zone, browse button and the chosen pictures in their order. */
export const ImageField = ({ images, maxBytesLabel }: { images: Images; maxBytesLabel: string }) => {
  const problemId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const browse = useRef<HTMLButtonElement>(null);
  const heldFocus = useHeldFocus<HTMLDivElement>();
  const [isOver, setOver] = useState(false);
  const isFull = images.images.length >= images.maxImages;

  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    images.add([...event.dataTransfer.files]);
  };

  // The focus would go with the button that was pressed.
  const handleRemove = (id: string, index: number) => {
    const { children } = list.current as HTMLUListElement;
    const neighbour = children[index + 1] ?? children[index - 1] ?? browse.current;
    if (neighbour instanceof HTMLElement) neighbour.focus();
    images.remove(id);
  };

  return (
    <div {...heldFocus} tabIndex={-1} className="grid gap-3">
      {images.problem ? (
        <p id={problemId} data-fault tabIndex={-1} className="text-sm text-destructive">
          {images.problem}
        </p>
      ) : null}
      {images.images.length > 0 ? (
        <ul ref={list} className="grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-5">
          {images.images.map((image, index) => (
            <ImageSlot
              key={image.id}
              image={image}
              index={index}
              count={images.images.length}
              onRemove={() => handleRemove(image.id, index)}
              onMove={images.move}
            />
          ))}
        </ul>
      ) : null}
      {isFull ? null : (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button inside does the same
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
          <ImagePlus aria-hidden="true" className="size-8 text-muted-foreground" />
          <div className="grid gap-1 text-sm">
            {/* Nobody drags with a finger. */}
            <p className="font-medium pointer-coarse:hidden">Drag photos here</p>
            <p className="text-muted-foreground">
              Up to {images.maxImages} photos, {maxBytesLabel} each
            </p>
          </div>
          <Button
            ref={browse}
            variant="outline"
            aria-describedby={images.problem ? problemId : undefined}
            onClick={() => input.current?.click()}
          >
            Browse photos
          </Button>
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        aria-label="Photos"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          images.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </div>
  );
};
