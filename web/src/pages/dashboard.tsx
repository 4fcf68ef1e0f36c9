import {
  ChartColumn,
  CircleCheck,
  Eye,
  FileUp,
  Heart,
  LogIn,
  type LucideIcon,
  Megaphone,
  MessageCircle,
  Plus,
  UserPen,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import type { Ad } from '../../../contract/ads.ts';
import { listPurchases } from '../../../contract/deals.ts';
import { type TextKey, t } from '../../../contract/i18n.ts';
import { getUnreadCount } from '../../../contract/messages.ts';
import type { Me } from '../../../contract/user.ts';
import { getMyStats, type UserStats } from '../../../contract/users.ts';
import { useApiQuery } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { LikedAds, MyAds } from '../features/ads/own/my-ads.tsx';
import { useOpenSignIn } from '../features/auth/sign-in.tsx';
import { lazyWithRetry } from '../lib/chunks.ts';
import { formatCount, formatDate } from '../lib/format.ts';
import { Avatar, SellerBadges } from '../ui/avatar.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState, Skeleton, SkeletonRegion } from '../ui/feedback.tsx';
import { Figure } from '../ui/figure.tsx';
import { Handle } from '../ui/handle.tsx';
import { lazyOverlay } from '../ui/lazy-overlays.tsx';
import { Query, type QueryState } from '../ui/query.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';

/** The section of /preferences that was here once. */
const PREFERENCES = '#notification-settings';

export const DashboardPage = () => {
  const { user, isLoading } = useSession();
  const { hash } = useLocation();
  const isImport = useSearchParams()[0].get('tab') === 'import';
  const openSignIn = useOpenSignIn();
  // Mails and notifications of before lead here.
  if (hash === PREFERENCES) return <Navigate to={{ pathname: '/preferences', hash }} replace />;
  return (
    <div className="container-page py-4 md:py-8">
      {isLoading ? (
        <SkeletonRegion className="grid gap-4" boxes={['h-32', 'h-24', 'h-64']} />
      ) : user ? (
        isImport ? (
          <ImportAds />
        ) : (
          <Dashboard me={user} />
        )
      ) : (
        <EmptyState icon={LogIn} heading="h1" title={t('dashboard.signIn')}>
          <Button onClick={() => openSignIn('/dashboard')}>{t('shell.signIn')}</Button>
        </EmptyState>
      )}
    </div>
  );
};

const Purchases = lazyWithRetry(() => import('../features/deals/deal-sections.tsx').then((m) => m.Purchases));
const Negotiations = lazyWithRetry(() => import('../features/deals/negotiations.tsx').then((m) => m.Negotiations));
const Sales = lazyWithRetry(() => import('../features/deals/deal-sections.tsx').then((m) => m.Sales));
const FollowedPeople = lazyWithRetry(() =>
  import('../features/follows/followed-people.tsx').then((m) => m.FollowedPeople),
);
const SavedSearches = lazyWithRetry(() =>
  import('../features/saved-searches/saved-searches.tsx').then((m) => m.SavedSearches),
);

const ImportAds = lazyWithRetry(() => import('../features/imports/import-ads.tsx').then((m) => m.ImportAds));

const TABS = [
  ['overview', 'dashboard.overview'],
  ['buying', 'dashboard.buying'],
  ['saved', 'shell.saved'],
] as const;
type DashboardTab = (typeof TABS)[number][0];

const SECTIONS: Record<string, DashboardTab> = {
  '#offers': 'buying',
  '#purchases': 'buying',
  '#saved-searches': 'saved',
  '#followed-people': 'saved',
};
const DEAL = /^#deal-(\d+)-ratings$/;

/** The tab that the address names, or that has its section: links of notifications name the section alone. */
const useTab = (): DashboardTab => {
  const [params] = useSearchParams();
  const { hash } = useLocation();
  const dealId = DEAL.exec(hash)?.[1];
  const { data: purchases } = useApiQuery(listPurchases, dealId ? { query: { limit: '10' } } : null);
  const named = TABS.find(([tab]) => tab === params.get('tab'))?.[0];
  if (named) return named;
  return purchases?.items.some(({ id }) => id === dealId) ? 'buying' : (SECTIONS[hash] ?? 'overview');
};

const NEWEST = 5;

const PostedAd = lazyWithRetry<{ ad: Ad }>(() => import('../features/ads/own/posted-ad.tsx').then((m) => m.PostedAd));

export const Dashboard = ({ me }: { me: Me }) => {
  // An ad that was posted a moment ago.
  const posted: Ad | undefined = useLocation().state?.posted;
  const stats = useApiQuery(getMyStats, {}, { keepPreviousData: true });
  const [, setParams] = useSearchParams();
  const tab = useTab();
  const handleTab = (value: string) => setParams(value === 'overview' ? {} : { tab: value });
  return (
    <Tabs value={tab} onValueChange={handleTab}>
      <TabList aria-label={t('shell.dashboard')}>
        {TABS.map(([value, label]) => (
          <Tab key={value} value={value}>
            {t(label)}
          </Tab>
        ))}
      </TabList>
      <TabPanel value="overview" className={PANEL}>
        {posted ? <PostedAd ad={posted} /> : null}
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <ProfileHeader me={me} stats={stats} />
          <MessagesCard />
        </div>
        <UserFigures stats={stats} />
        <QuickActions me={me} stats={stats} />
        <MyAds me={me} />
        <LikedAds newest={NEWEST} />
        <Sales />
      </TabPanel>
      <TabPanel value="buying" className={PANEL}>
        <h1 className="sr-only">{t('dashboard.buying')}</h1>
        <Negotiations />
        <Purchases />
      </TabPanel>
      <TabPanel value="saved" className={PANEL}>
        <h1 className="sr-only">{t('shell.saved')}</h1>
        <LikedAds />
        <SavedSearches />
        <FollowedPeople />
      </TabPanel>
    </Tabs>
  );
};

const PANEL = 'grid gap-6 pt-6 md:gap-8';

const AnalyticsDialog = lazyOverlay(() =>
  import('../features/ads/own/analytics-dialog.tsx').then((m) => m.AnalyticsDialog),
);
const ProfileDialog = lazyOverlay(() => import('../features/profile/profile-dialog.tsx').then((m) => m.ProfileDialog));

interface StatsProps {
  me: Me;
  stats: QueryState<UserStats>;
}

export const QuickActions = ({ me, stats }: StatsProps) => {
  const [open, setOpen] = useState<'analytics' | 'profile'>();
  const handleOpenChange = () => setOpen(undefined);
  return (
    <section aria-labelledby="quick-actions">
      <h2 id="quick-actions" className="mb-3 section-heading">
        {t('dashboard.quickActions')}
      </h2>
      <div
        className="grid gap-3 sm:flex sm:flex-wrap"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(min(10rem, 100%), 1fr))' }}
      >
        <LinkButton to="/create-ad">
          <Plus /> {t('dashboard.postNewAd')}
        </LinkButton>
        <LinkButton to="/dashboard?tab=import" variant="outline">
          <FileUp /> {t('dashboard.importAds')}
        </LinkButton>
        <Button variant="outline" onClick={() => setOpen('analytics')}>
          <ChartColumn /> {t('dashboard.viewAnalytics')}
        </Button>
        <Button variant="outline" onClick={() => setOpen('profile')}>
          <UserPen /> {t('dashboard.editProfile')}
        </Button>
      </div>
      <AnalyticsDialog open={open === 'analytics'} onOpenChange={handleOpenChange} me={me} stats={stats} />
      <ProfileDialog open={open === 'profile'} onOpenChange={handleOpenChange} me={me} stats={stats.data} />
    </section>
  );
};

const toUnreadText = (unread: number): string =>
  unread === 0 ? t('dashboard.noNewMessages') : t('dashboard.unreadMessages', { count: unread });

export const MessagesCard = () => {
  const query = useApiQuery(getUnreadCount, {});
  return (
    <Card className="flex flex-wrap items-center gap-3">
      <div className="grid grow gap-1">
        <h2 className="flex items-center gap-2 card-heading">
          <MessageCircle className="size-5" /> {t('shell.messages')}
        </h2>
        <Query
          of={query}
          failure={t('dashboard.messagesFailed')}
          size="line"
          loading={<Skeleton className="h-6 w-40" />}
        >
          {({ unreadCount }) => <p className="text-muted-foreground">{toUnreadText(unreadCount)}</p>}
        </Query>
      </div>
      <LinkButton to="/messages" variant="outline">
        {t('dashboard.viewMessages')}
      </LinkButton>
    </Card>
  );
};

export const ProfileHeader = ({ me, stats }: StatsProps) => (
  <Card className="flex flex-wrap items-center gap-4 sm:gap-6">
    <Avatar src={me.avatar} name={me.displayName} className="size-16 text-2xl sm:size-24 sm:text-3xl" />
    <div className="min-w-0 grow basis-40">
      <h1 className="flex flex-wrap items-center gap-x-1.5 text-2xl font-semibold sm:text-3xl">
        <bdi className="max-w-full truncate">{me.displayName}</bdi>
        <SellerBadges user={me} />
      </h1>
      {me.username ? (
        <p className="text-muted-foreground">
          <Handle name={me.username} />
        </p>
      ) : null}
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {me.xAccountCreated ? (
          <HeaderFigure term={t('dashboard.xAccountCreated')}>{formatDate(me.xAccountCreated)}</HeaderFigure>
        ) : null}
        {HEADER_FIGURES.map(([term, toFigure]) => (
          <HeaderFigure key={term} term={t(term)}>
            <Query of={stats} failure={<>–</>} loading={<Skeleton className="mt-0.5 h-4 w-10" />}>
              {toFigure}
            </Query>
          </HeaderFigure>
        ))}
      </dl>
    </div>
  </Card>
);

const HEADER_FIGURES: [term: TextKey, toFigure: (stats: UserStats) => string][] = [
  ['dashboard.totalAds', ({ totalAds }) => formatCount(totalAds)],
  ['dashboard.followers', ({ followers }) => formatCount(followers)],
];

const HeaderFigure = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-1.5">
    <dt className="text-muted-foreground">{term}</dt>
    <dd>{children}</dd>
  </div>
);

const CARDS: [label: TextKey, icon: LucideIcon, pick: (stats: UserStats) => number][] = [
  ['dashboard.totalViews', Eye, (stats) => stats.totalViews],
  ['dashboard.activeAds', Megaphone, (stats) => stats.activeAds],
  ['dashboard.itemsSold', CircleCheck, (stats) => stats.soldAds],
  ['dashboard.likedAds', Heart, (stats) => stats.likedAds],
];

export const UserFigures = ({ stats }: Omit<StatsProps, 'me'>) => (
  <div>
    <Query of={stats} failure={t('dashboard.statsFailed')} loading={<UserStatCards />}>
      {(loaded) => <UserStatCards stats={loaded} />}
    </Query>
  </div>
);

const UserStatCards = ({ stats }: { stats?: UserStats }) => (
  <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4" aria-busy={stats ? undefined : true}>
    {CARDS.map(([label, Icon, pick]) => (
      <Card key={label} className="grid gap-1">
        <dt className="flex items-center gap-2 text-sm text-muted-foreground">
          <Icon className="size-4" /> {t(label)}
        </dt>
        <dd className="text-2xl font-semibold sm:text-3xl">
          {stats ? <Figure value={pick(stats)} /> : <Skeleton className="h-9 w-20" />}
        </dd>
      </Card>
    ))}
  </dl>
);
