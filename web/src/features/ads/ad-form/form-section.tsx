import type { ReactNode } from 'react';

export const FormSection = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 gap-5">
    <header className="grid gap-1">
      <h2 className="text-lg font-semibold">{title}</h2>
      {text ? <p className="text-sm text-muted-foreground">{text}</p> : null}
    </header>
    {children}
  </section>
);
