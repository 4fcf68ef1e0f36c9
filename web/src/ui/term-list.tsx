import type { ReactNode } from 'react';

export const TermList = ({ rows }: { rows: [term: string, value: ReactNode][] }) => (
  <dl className="grid gap-2.5">
    {rows
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([term, value]) => (
        <div key={term} className="flex flex-wrap gap-x-3 text-sm">
          <dt className="basis-36 text-muted-foreground">{term}</dt>
          <dd className="min-w-0 grow basis-28 break-words">{value}</dd>
        </div>
      ))}
  </dl>
);
