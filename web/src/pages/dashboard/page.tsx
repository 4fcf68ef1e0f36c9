import { LogIn } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { useOpenSignIn } from '../../features/session/sign-in-context.tsx';
import { PageTitle } from '../../features/site/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/skeleton.tsx';
import { Dashboard } from './dashboard.tsx';

/** The signed-in user's own corner. */
export const DashboardPage = () => {
  const { user, isLoading } = useSession();
  const openSignIn = useOpenSignIn();
  return (
    <div className="container-page py-8 md:py-12">
      <PageTitle title="Dashboard" />
      {isLoading ? (
        <SkeletonRegion className="grid gap-4">
          <Skeleton className="h-32" />
          <Skeleton className="h-24" />
          <Skeleton className="h-64" />
        </SkeletonRegion>
      ) : user ? (
        <Dashboard me={user} />
      ) : (
        <Empty icon={LogIn} heading="h1" title="Please sign in to access your dashboard">
          <Button onClick={() => openSignIn('/dashboard')}>Sign In</Button>
        </Empty>
      )}
    </div>
  );
};
