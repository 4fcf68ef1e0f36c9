import { clsx as cn } from 'clsx';
import { formatCount, formatShortCount } from '../lib/format.ts';

interface FigureProps {
  value: number;
  /** The full value, for the tooltip and screen readers. Default: the formatted count. */
  whole?: string;
  /** The short form for a card, such as "$5.6M". */
  short?: string;
  className?: string;
}

/** A number on a card. It never wraps; large numbers are shortened. */
export const Figure = ({
  value,
  whole = formatCount(value),
  short = formatShortCount(value),
  className,
}: FigureProps) => (
  <span data-slot="figure" title={short === whole ? undefined : whole} className={cn('figure', className)}>
    {short === whole ? (
      whole
    ) : (
      <>
        <span aria-hidden="true">{short}</span>
        <span className="sr-only">{whole}</span>
      </>
    )}
  </span>
);

export const Bar = ({ percent }: { percent: number }) => (
  <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-muted">
    <div className="h-full rounded-full bg-primary" style={{ width: `${Math.min(percent, 100)}%` }} />
  </div>
);
