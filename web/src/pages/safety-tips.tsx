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
import { IconCards, StaticPage } from '../features/static-pages/prose.tsx';
import { useSiteConfig } from '../lib/site-config.tsx';
import { Card } from '../ui/card.tsx';

const TIPS: [icon: LucideIcon, title: string, text: string][] = [
  [MapPin, 'Meet in public places', 'A café, a mall or a police station lobby, in daylight, with other people around.'],
  [
    Eye,
    'Inspect before you buy',
    'Look at the item, switch it on, compare it with its photos. Pay only when you are satisfied.',
  ],
  [
    CreditCard,
    'Use secure payment methods',
    'Pay in person or with protection. Avoid wire transfers and money orders: nobody gets them back.',
  ],
  [Zap, 'Trust your instincts', 'If something feels wrong, walk away. There will be another ad.'],
  [
    UserPlus,
    'Bring a friend',
    'Two see more than one, most of all when the item is valuable or the place is new to you.',
  ],
  [
    MessageCircle,
    'Keep communication on the platform',
    'Messages here stay on record. Numbers and email addresses are what fraudsters ask for first.',
  ],
];

const RED_FLAGS = [
  'Unusual payment requests: gift cards, cryptocurrency, a transfer to a stranger',
  'Prices that are too good to be true',
  'Refusal to meet in person or to show the item',
  'Pressure to act fast, before somebody else does',
  'Requests for personal ID numbers or copies of documents',
  'Grammar that sounds scripted, and answers that do not fit your question',
  'Far-away sellers who want to ship and be paid first',
];

const GOOD_PRACTICES = [
  'Read the whole ad and look at every photo before you write',
  "Look at the seller's profile: badges, account age, other ads",
  'Agree on price, place and time in your messages here',
  'Tell somebody where you are going and when you will be back',
  'Count money and check the item before you part',
  'Ask for a receipt or the original invoice when it is valuable',
  'Mark your ad as sold when the deal is done',
];

export const SafetyTipsPage = () => {
  const { supportEmail } = useSiteConfig();
  return (
    <StaticPage title="Safety Tips" intro="Most deals between neighbors go well. These habits keep it that way.">
      <IconCards cards={TIPS} heading="h2" className="lg:grid-cols-3" />
      <div className="mt-8 grid grid-cols-1 gap-4 lg:grid-cols-2">
        <List
          title="Red Flags"
          icon={TriangleAlert}
          items={RED_FLAGS}
          className="bg-warning-soft [&_svg]:text-warning"
        />
        <List
          title="Good Practices"
          icon={CircleCheck}
          items={GOOD_PRACTICES}
          className="bg-success-soft [&_svg]:text-success"
        />
      </div>
      <Card className="mt-8">
        <h2 className="card-heading">Need help?</h2>
        <p className="mt-2 max-w-[68ch] text-muted-foreground">
          Write to{' '}
          <a href={`mailto:${supportEmail}`} className="prose-link">
            {supportEmail}
          </a>{' '}
          when an ad or a person seems wrong to you. In an emergency, contact your local authorities first.
        </p>
      </Card>
    </StaticPage>
  );
};

interface ListProps {
  title: string;
  icon: LucideIcon;
  items: string[];
  className: string;
}

const List = ({ title, icon: Icon, items, className }: ListProps) => (
  <section className={`rounded-card p-4 sm:p-6 ${className}`}>
    <h2 className="card-heading">{title}</h2>
    <ul className="mt-3 grid gap-2.5">
      {items.map((item) => (
        <li key={item} className="flex gap-2.5">
          <Icon className="mt-0.5 size-5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{item}</span>
        </li>
      ))}
    </ul>
  </section>
);
