import type { ReactNode } from 'react';

/** Terms and their values; a row whose value is null is left out. */
export const Details = ({ rows }: { rows: [term: string, value: ReactNode][] }) => (
  <dl className="grid gap-2.5">
    {rows
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([term, value]) => (
        <div key={term} className="grid grid-cols-[9rem_1fr] gap-3 text-sm">
          <dt className="text-muted-foreground">{term}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
  </dl>
);
