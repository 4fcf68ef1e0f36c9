import type { ReactNode } from 'react';
import { PageTitle } from '../site/page-title.tsx';

/** Title and opening sentence of a page of text. */
export const PageHead = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header className="mb-8 max-w-[68ch] md:mb-12">
    <PageTitle title={title} />
    <h1 className="text-3xl font-semibold text-balance md:text-4xl">{title}</h1>
    {children ? <p className="mt-3 text-lg text-pretty text-muted-foreground">{children}</p> : null}
  </header>
);
