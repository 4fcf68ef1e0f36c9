import type { Me } from '../../../../contract/user.ts';
import { getMyStats } from '../../../../contract/users.ts';
import { useCall } from '../../api/use-call.ts';
import { XPostingCard } from '../../features/x-posting/x-posting-card.tsx';
import { LikedAds } from './liked-ads.tsx';
import { MessagesCard } from './messages-card.tsx';
import { MyAds } from './my-ads.tsx';
import { ProfileHeader } from './profile-header.tsx';
import { QuickActions } from './quick-actions.tsx';
import { StatCards } from './stat-cards.tsx';

/** Who one is, what is new, what one sells and what one likes. */
export const Dashboard = ({ me }: { me: Me }) => {
  const { data: stats, error, mutate } = useCall(getMyStats, {}, { keepPreviousData: true });
  return (
    <div className="grid gap-6 md:gap-8">
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ProfileHeader me={me} totalAds={stats?.totalAds} />
        <MessagesCard />
      </div>
      <StatCards stats={stats} failed={error !== undefined} onRetry={() => void mutate()} />
      <QuickActions me={me} stats={stats} />
      <MyAds me={me} />
      <LikedAds />
      <XPostingCard me={me} />
    </div>
  );
};
