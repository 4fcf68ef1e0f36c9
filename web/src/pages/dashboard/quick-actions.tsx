import { ChartColumn, Plus, UserPen } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Me } from '../../../../contract/user.ts';
import type { UserStats } from '../../../../contract/users.ts';
import { lazyPart } from '../../lib/load-code.ts';
import { Button } from '../../ui/button.tsx';

const AnalyticsDialog = lazyPart(() => import('./analytics-dialog.tsx').then((m) => m.AnalyticsDialog));
const ProfileDialog = lazyPart(() => import('./profile-dialog.tsx').then((m) => m.ProfileDialog));

type Open = 'analytics' | 'profile' | null;

export const QuickActions = ({ me, stats }: { me: Me; stats: UserStats | undefined }) => {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <section aria-labelledby="quick-actions">
      <h2 id="quick-actions" className="mb-3 text-xl font-semibold">
        Quick Actions
      </h2>
      <div className="grid gap-3 sm:flex sm:flex-wrap">
        <Button asChild>
          <Link to="/create-ad">
            <Plus aria-hidden="true" /> Post New Ad
          </Link>
        </Button>
        <Button variant="outline" onClick={() => setOpen('analytics')}>
          <ChartColumn aria-hidden="true" /> View Analytics
        </Button>
        <Button variant="outline" onClick={() => setOpen('profile')}>
          <UserPen aria-hidden="true" /> Edit Profile
        </Button>
      </div>
      <Suspense fallback={null}>
        {open === 'analytics' ? <AnalyticsDialog me={me} stats={stats} onClose={close} /> : null}
        {open === 'profile' ? <ProfileDialog me={me} stats={stats} onClose={close} /> : null}
      </Suspense>
    </section>
  );
};
