import { Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { getAdminStats } from '../../../../contract/admin.ts';
import type { Me } from '../../../../contract/user.ts';
import { useCall } from '../../api/use-call.ts';
import { StopNotice } from '../../features/x-posting/stop-notice.tsx';
import { lazyPart } from '../../lib/load-code.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { StatCards } from './stat-cards.tsx';
import { UsersTab } from './users-tab.tsx';

const AdsTab = lazyPart(() => import('./ads-tab.tsx').then((module) => module.AdsTab));
const AnalyticsTab = lazyPart(() => import('./analytics-tab.tsx').then((module) => module.AnalyticsTab));
const SettingsTab = lazyPart(() => import('./settings-tab.tsx').then((module) => module.SettingsTab));

const TABS = ['users', 'ads', 'analytics', 'settings'];

/** Statistics over everything, and the four tabs; the open one stands in the address. */
export const AdminArea = ({ me }: { me: Me }) => {
  const [params, setParams] = useSearchParams();
  const stats = useCall(getAdminStats, {}, { keepPreviousData: true });
  const wanted = params.get('tab') ?? '';
  const tab = TABS.includes(wanted) ? wanted : 'users';
  const handleTab = (value: string) => setParams(value === 'users' ? {} : { tab: value }, { preventScrollReset: true });

  return (
    <TooltipProvider>
      <h1 className="text-3xl font-semibold md:text-4xl">Administration</h1>
      <p className="mt-2 mb-6 text-muted-foreground">Signed in as {me.displayName}</p>
      <StopNotice />
      <StatCards stats={stats.data} failed={stats.error !== undefined} onRetry={() => void stats.mutate()} />
      <Tabs value={tab} onValueChange={handleTab} className="mt-8">
        <TabList aria-label="Administration">
          <Tab value="users">Users</Tab>
          <Tab value="ads">Ads</Tab>
          <Tab value="analytics">Analytics</Tab>
          <Tab value="settings">Settings</Tab>
        </TabList>
        <Suspense fallback={<Skeleton className="mt-6 h-64" />}>
          <TabPanel value="users">
            <UsersTab me={me} />
          </TabPanel>
          <TabPanel value="ads">
            <AdsTab />
          </TabPanel>
          <TabPanel value="analytics">
            <AnalyticsTab stats={stats.data} failed={stats.error !== undefined} onRetry={() => void stats.mutate()} />
          </TabPanel>
          <TabPanel value="settings">
            <SettingsTab hasPassword={me.hasPassword} />
          </TabPanel>
        </Suspense>
      </Tabs>
    </TooltipProvider>
  );
};
