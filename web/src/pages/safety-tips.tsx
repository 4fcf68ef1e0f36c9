import {
  CircleCheck,
  CreditCard,
  Eye,
  type LucideIcon,
  MapPin,
  MessageCircle,
  TriangleAlert,
  UserPlus,
  Zap,
} from 'lucide-react';
import type { TextSection } from '../../../contract/page-texts.ts';
import { IconCards } from '../features/static-pages/icon-cards.tsx';
import { Html, Sections } from '../features/static-pages/prose.tsx';
import { TextPage } from '../features/static-pages/text-page.tsx';
import { Card } from '../ui/card.tsx';

const TIP_ICONS = [MapPin, Eye, CreditCard, Zap, UserPlus, MessageCircle];

export const SafetyTipsPage = () => (
  <TextPage
    page="safety-tips"
    sections={({ isBuiltIn, sections }) =>
      isBuiltIn ? <BuiltInTips sections={sections} /> : <Sections sections={sections} />
    }
  />
);

/** The layout of the built-in text: tips, two lists, and where to find help (server/features/pages/built-in). */
const BuiltInTips = ({ sections }: { sections: readonly TextSection[] }) => {
  const tips = sections.slice(0, TIP_ICONS.length);
  const [flags, practices, ...others] = sections.slice(TIP_ICONS.length);
  return (
    <>
      <IconCards cards={tips} icons={TIP_ICONS} heading="h2" className="lg:grid-cols-3" />
      <div className="mt-8 grid grid-cols-1 gap-4 lg:grid-cols-2">
        <List section={flags} icon={TriangleAlert} className="bg-warning-soft [&_svg]:text-warning" />
        <List section={practices} icon={CircleCheck} className="bg-success-soft [&_svg]:text-success" />
      </div>
      {others.map(({ id, title, html }) => (
        <Card key={id} className="mt-8">
          <h2 className="card-heading">{title}</h2>
          <Html html={html} className="mt-2 max-w-[68ch]" />
        </Card>
      ))}
    </>
  );
};

interface ListProps {
  section: TextSection | undefined;
  icon: LucideIcon;
  className: string;
}

const List = ({ section, icon: Icon, className }: ListProps) =>
  section ? (
    <section className={`rounded-card p-4 sm:p-6 ${className}`}>
      <h2 className="card-heading flex items-center gap-2.5">
        <Icon className="size-5 shrink-0" /> {section.title}
      </h2>
      <Html html={section.html} className="mt-3 [&_ul]:gap-2.5 [&_ul]:text-foreground" />
    </section>
  ) : null;
