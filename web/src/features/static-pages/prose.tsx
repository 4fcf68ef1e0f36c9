import { clsx as cn } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';

interface StaticPageProps {
  title: string;
  intro: string;
  children: ReactNode;
}

export const StaticPage = ({ title, intro, children }: StaticPageProps) => (
  <div className="container-page py-8 md:py-12">
    <header className="mb-8 max-w-[68ch] md:mb-12">
      <h1 className="page-heading">{title}</h1>
      <p className="mt-3 text-lg text-pretty text-muted-foreground">{intro}</p>
    </header>
    {children}
  </div>
);

interface IconCardsProps {
  cards: [icon: LucideIcon, title: string, text: string][];
  heading: 'h2' | 'h3';
  className: string;
}

export const IconCards = ({ cards, heading: Heading, className }: IconCardsProps) => (
  <ul className={cn('grid gap-4 sm:grid-cols-2', className)}>
    {cards.map(([Icon, title, text]) => (
      <li key={title} className="grid">
        <Card className="grid content-start gap-2">
          <Icon className="size-6 text-primary" />
          <Heading className="card-heading">{title}</Heading>
          <p className="text-muted-foreground">{text}</p>
        </Card>
      </li>
    ))}
  </ul>
);

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

/** Use it as a child of `Sections`, which numbers and lists it. */
export const Section = ({ id, title, number, children }: SectionProps & { number?: number }) => (
  <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
    <h2 id={`${id}-title`} className="section-heading">
      {number}. {title}
    </h2>
    <div className="mt-2 grid gap-3 text-pretty text-muted-foreground [&_a]:text-primary [&_a]:underline [&_a]:underline-offset-4 [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-1 [&_ul]:ps-5">
      {children}
    </div>
  </section>
);

export const Sections = ({ children }: { children: ReactElement<ComponentProps<typeof Section>>[] }) => (
  <div className="grid gap-8 lg:grid-cols-[16rem_1fr] lg:gap-12">
    <nav aria-label="On this page" className="max-lg:hidden">
      <ol className="sticky top-24 grid gap-1 text-sm">
        {children.map(({ props: { id, title } }, index) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block rounded-control px-2 py-1.5 text-muted-foreground hover:bg-muted hover:text-foreground"
            >
              {index + 1}. {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
    <div className="grid max-w-[68ch] gap-8">
      {children.map((section, index) => cloneElement(section, { key: section.props.id, number: index + 1 }))}
    </div>
  </div>
);
