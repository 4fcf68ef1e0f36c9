import { BadgeCheck, type LucideIcon, Search, ShieldCheck, Sparkles } from 'lucide-react';
import { pluralize } from '../../../contract/plural.ts';
import type { Category } from '../../../contract/stats.ts';
import { useCategories } from '../features/ads/use-categories.ts';
import { useGoToPostAd } from '../features/auth/sign-in.tsx';
import { IconCards, StaticPage } from '../features/static-pages/prose.tsx';
import { formatCount } from '../lib/format.ts';
import { useSiteConfig } from '../lib/site-config.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';

const listSteps = (maxImages: number): [title: string, text: string][] => [
  ['Sign Up with Twitter', 'Continue with the X account you already have. There is no other password to remember.'],
  [
    'Post Your Ad',
    `${maxImages > 0 ? `Add up to ${pluralize(maxImages, 'photo')}, a title` : 'Add a title'}, a few honest sentences and a price.`,
  ],
  ['Get Discovered', 'People nearby find your ad by place, category, price and the words in it.'],
  ['Connect & Sell', 'Answer messages here, meet in a public place, mark the ad as sold.'],
];

const FEATURES: [icon: LucideIcon, title: string, text: string][] = [
  [BadgeCheck, 'Verified Sellers', 'Badges come from X, so a blue check here means what it means there.'],
  [ShieldCheck, 'Safe Transactions', 'Messages stay on the platform, and every ad reminds you how to meet safely.'],
  [
    Search,
    'Easy Search',
    'Every word counts, in title and description, with filters for place, condition, price and details.',
  ],
  [Sparkles, 'Quality Listings', 'Real photos, clear prices, and moderators who look after the rest.'],
];

const SELLERS = [
  ['Free to list', 'Posting costs nothing, and nothing is taken from what you sell.'],
  ['Reach more buyers', 'Every ad has a page that looks good when it is shared on X.'],
  ['Build trust', 'Your X profile, its age and its badges speak for you.'],
  ['No ad forgotten', 'We ask before an ad ends. One tap renews it or marks it as sold.'],
] as const;

/** "25 categories, from Electronics to Tickets & Events." */
const describeCategories = (categories: readonly Category[]): string => {
  const [first, ...others] = categories.filter(({ slug }) => slug !== 'other');
  const last = others.at(-1);
  if (!first) return 'Everything, from cars to tickets.';
  if (!last) return `Everything in ${first.name}.`;
  return `${formatCount(categories.length)} categories, from ${first.name} to ${last.name}.`;
};

const listBuyerPoints = (categories: readonly Category[]) =>
  [
    ['Find anything', describeCategories(categories)],
    ['Smart search', 'Words, prices, distance and details together, sorted as you like.'],
    ['First to know', 'Save a search or follow a seller: new ads come to you by e-mail or push, if you want them to.'],
    ['Direct contact', 'Write to the seller from the ad and read the answer in your inbox.'],
  ] as const;

export const HowItWorksPage = () => {
  const { siteName, maxImages } = useSiteConfig();
  const categories = useCategories();
  const postAd = useGoToPostAd();
  return (
    <StaticPage
      title={`How ${siteName} Works`}
      intro="Buy and sell with people on X. Four steps, from signing in to a handshake."
    >
      <ol className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {listSteps(maxImages).map(([title, text], index) => (
          <li key={title} className="grid">
            <Card className="grid content-start gap-2">
              <span className="flex size-9 items-center justify-center rounded-full bg-primary font-semibold text-primary-foreground">
                {index + 1}
              </span>
              <h2 className="card-heading">{title}</h2>
              <p className="text-muted-foreground">{text}</p>
            </Card>
          </li>
        ))}
      </ol>
      <h2 className="mt-12 mb-4 text-2xl font-semibold">What you can count on</h2>
      <IconCards cards={FEATURES} heading="h3" className="lg:grid-cols-4" />
      <div className="mt-8 grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Points title="For sellers" points={SELLERS} />
        <Points title="For buyers" points={listBuyerPoints(categories)} />
      </div>
      <div className="mt-10 flex flex-wrap justify-center gap-3">
        <Button size="lg" onClick={postAd}>
          Post Your First Ad
        </Button>
        <LinkButton to="/" size="lg" variant="outline">
          Browse Listings
        </LinkButton>
      </div>
    </StaticPage>
  );
};

const Points = ({ title, points }: { title: string; points: readonly (readonly [string, string])[] }) => (
  <Card>
    <h2 className="section-heading">{title}</h2>
    <dl className="mt-4 grid gap-4">
      {points.map(([term, text]) => (
        <div key={term}>
          <dt className="font-semibold">{term}</dt>
          <dd className="text-muted-foreground">{text}</dd>
        </div>
      ))}
    </dl>
  </Card>
);
