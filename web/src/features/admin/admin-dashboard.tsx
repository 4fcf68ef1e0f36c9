import { Banknote, Info, Megaphone, Tag, Users } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type AdminStats, getAdminStats } from '../../../../contract/admin.ts';
import { formatShortPrice } from '../../../../contract/amount-rules.ts';
import { t } from '../../../../contract/i18n.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { countOpenCases } from '../../../../contract/reports.ts';
import type { Me } from '../../../../contract/user.ts';
import { useApiQuery } from '../../api/query.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { formatCount, formatDate, formatDateTime } from '../../lib/format.ts';
import { Badge, Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/feedback.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Query } from '../../ui/query.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { useXPosting } from '../x-posting/use-x-posting.ts';
import { Tooltip, TooltipProvider } from './admin-table.tsx';
import { UsersTab } from './users-tab.tsx';

const lazyTab = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyWithRetry(load, undefined, <Skeleton className="h-64" />);

const AdsTab = lazyTab(() => import('./ads-tab.tsx').then((module) => module.AdsTab));
const AnalyticsTab = lazyTab(() => import('./analytics-tab.tsx').then((module) => module.AnalyticsTab));
const ReportsTab = lazyTab(() => import('./cases/reports-tab.tsx').then((module) => module.ReportsTab));
const BrandTab = lazyTab(() => import('./brand-tab.tsx').then((module) => module.BrandTab));
const CategoriesTab = lazyTab(() => import('./categories-tab.tsx').then((module) => module.CategoriesTab));
const PagesTab = lazyTab(() => import('./pages-tab.tsx').then((module) => module.PagesTab));
const WebhooksTab = lazyTab(() => import('../webhooks/webhooks.tsx').then((module) => module.Webhooks));
const SettingsTab = lazyTab(() => import('./settings-tab.tsx').then((module) => module.SettingsTab));

const STAFF_TABS = ['users', 'ads', 'reports', 'analytics'];
const ADMIN_TABS = [...STAFF_TABS, 'settings', 'brand', 'pages', 'categories', 'webhooks'];

export const AdminDashboard = ({ me }: { me: Me }) => {
  const [params, setParams] = useSearchParams();
  const wanted = params.get('tab') ?? '';
  const isAdmin = me.role === 'admin';
  const tab = (isAdmin ? ADMIN_TABS : STAFF_TABS).includes(wanted) ? wanted : 'users';
  const handleTab = (value: string) => setParams(value === 'users' ? {} : { tab: value }, { preventScrollReset: true });

  return (
    <TooltipProvider>
      <h1 className="page-heading">{t('shell.titleAdmin')}</h1>
      <p className="mt-2 mb-6 text-muted-foreground">{t('admin.signedInAs', { name: me.displayName })}</p>
      <XPostingPausedBanner />
      <Tabs value={tab} onValueChange={handleTab}>
        <TabList aria-label={t('shell.titleAdmin')}>
          <Tab value="users">{t('admin.users')}</Tab>
          <Tab value="ads">{t('admin.ads')}</Tab>
          <Tab value="reports">
            {t('admin.reports')} <OpenCases />
          </Tab>
          <Tab value="analytics">{t('admin.analytics')}</Tab>
          {isAdmin ? <Tab value="settings">{t('admin.settings')}</Tab> : null}
          {isAdmin ? <Tab value="brand">{t('admin.brand')}</Tab> : null}
          {isAdmin ? <Tab value="pages">{t('admin.pages')}</Tab> : null}
          {isAdmin ? <Tab value="categories">{t('shell.categories')}</Tab> : null}
          {isAdmin ? <Tab value="webhooks">{t('admin.webhooks')}</Tab> : null}
        </TabList>
        <TabPanel value="users">
          <Statistics />
          <UsersTab me={me} />
        </TabPanel>
        <TabPanel value="ads">
          <AdsTab me={me} />
        </TabPanel>
        <TabPanel value="reports">
          <ReportsTab me={me} />
        </TabPanel>
        <TabPanel value="analytics">
          <Statistics />
          <AnalyticsTab />
        </TabPanel>
        {isAdmin ? (
          <TabPanel value="settings">
            <SettingsTab hasPassword={me.hasPassword} />
          </TabPanel>
        ) : null}
        {isAdmin ? (
          <TabPanel value="brand">
            <BrandTab />
          </TabPanel>
        ) : null}
        {isAdmin ? (
          <TabPanel value="pages">
            <PagesTab />
          </TabPanel>
        ) : null}
        {isAdmin ? (
          <TabPanel value="categories">
            <CategoriesTab />
          </TabPanel>
        ) : null}
        {isAdmin ? (
          <TabPanel value="webhooks">
            <WebhooksTab of="site" />
          </TabPanel>
        ) : null}
      </Tabs>
    </TooltipProvider>
  );
};

const XPostingPausedBanner = () => {
  const stopped = useXPosting().data?.stopped;
  if (!stopped) return null;
  return (
    <p role="status" className="mb-6 rounded-card bg-warning-soft p-4 text-sm text-warning">
      {t('admin.xStopped', { since: formatDate(stopped.since), until: formatDateTime(stopped.until) })}
    </p>
  );
};

const OpenCases = () => {
  const open = useApiQuery(countOpenCases, {}).data?.open ?? 0;
  if (open === 0) return null;
  return (
    <Badge variant="destructive" className="ms-1">
      <span aria-hidden="true">{formatCount(open)}</span>
      <span className="sr-only">{t('admin.openCases', { count: open })}</span>
    </Badge>
  );
};

const Statistics = () => (
  <Query
    of={useApiQuery(getAdminStats, {}, { keepPreviousData: true })}
    failure={t('admin.statsFailed')}
    loading={<AdminStatCards />}
  >
    {(stats) => <AdminStatCards stats={stats} />}
  </Query>
);

const AdminStatCards = ({ stats }: { stats?: AdminStats }) => (
  <div className="mb-6 grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4" aria-busy={stats ? undefined : true}>
    <AdminStatCard
      icon={<Users />}
      label={t('admin.totalUsers')}
      figure={stats && <Figure value={stats.totalUsers} />}
      note={stats && t('admin.newToday', { count: stats.todaySignups })}
    />
    <AdminStatCard
      icon={<Tag />}
      label={t('admin.totalAds')}
      figure={stats && <Figure value={stats.totalAds} />}
      note={stats && t('admin.newToday', { count: stats.todayAds })}
    />
    <AdminStatCard
      icon={<Megaphone />}
      label={t('admin.activeAds')}
      figure={stats && <Figure value={stats.activeAds} />}
      note={stats && t('admin.pendingReview', { count: stats.pendingAds })}
    />
    <AdminStatCard
      icon={<Banknote />}
      label={t('admin.valueSold')}
      hint={t('admin.valueSoldHint')}
      figure={
        stats && (
          <Figure
            value={stats.revenue}
            whole={formatPrice(stats.revenue)}
            short={formatShortPrice(stats.revenue)}
            className="max-sm:text-lg/8 max-xs:text-sm/8"
          />
        )
      }
      note={t('admin.thisMonth')}
    />
  </div>
);

interface AdminStatCardProps {
  icon: ReactNode;
  label: string;
  figure: ReactNode;
  note: string | undefined;
  hint?: string;
}

const AdminStatCard = ({ icon, label, figure, note, hint }: AdminStatCardProps) => (
  <Card className="grid content-start gap-1">
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground max-xs:[&>svg]:hidden [&_svg]:size-4">
      {icon}
      {/* on a phone under icon and hint, in every language */}
      <span className="xs:max-sm:order-1 xs:max-sm:basis-full">{label}</span>
      {hint ? (
        <Tooltip text={hint}>
          <button type="button" aria-label={hint} className="-m-2 ms-auto p-2">
            <Info />
          </button>
        </Tooltip>
      ) : null}
    </p>
    {figure ? <p className="text-2xl font-semibold sm:text-3xl">{figure}</p> : <Skeleton className="h-9 w-24" />}
    {note === undefined ? <Skeleton className="h-4 w-20" /> : <p className="text-sm text-muted-foreground">{note}</p>}
  </Card>
);
