import { clsx as cn } from 'clsx';
import { type DragEvent, type ReactNode, useState } from 'react';

interface DropAreaProps {
  onDrop: (files: FileList) => void;
  /** With a button that does the same: touch screens cannot drag files. */
  children: ReactNode;
}

/** Takes the files that are dropped on it. */
export const DropArea = ({ onDrop, children }: DropAreaProps) => {
  const [isOver, setOver] = useState(false);
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onDrop(event.dataTransfer.files);
  };
  return (
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
      {children}
    </div>
  );
};
