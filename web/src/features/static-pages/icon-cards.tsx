import { clsx as cn } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { Html } from './prose.tsx';

interface IconCardsProps {
  cards: readonly { title: string; html: string }[];
  /** Of each card, in their order. */
  icons: readonly LucideIcon[];
  heading: 'h2' | 'h3';
  className: string;
}

export const IconCards = ({ cards, icons, heading: Heading, className }: IconCardsProps) => (
  <ul className={cn('grid gap-4 sm:grid-cols-2', className)}>
    {cards.map(({ title, html }, index) => {
      const Icon = icons[index];
      return (
        <li key={title} className="grid">
          <Card className="grid content-start gap-2">
            {Icon ? <Icon className="size-6 text-primary" /> : null}
            <Heading className="card-heading">{title}</Heading>
            <Html html={html} />
          </Card>
        </li>
      );
    })}
  </ul>
);
