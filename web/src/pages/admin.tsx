import { useSession } from '../api/session.ts';
import { AdminGate } from '../features/admin/sign-in.tsx';
import { lazyWithRetry } from '../lib/chunks.ts';
import { SkeletonRegion } from '../ui/feedback.tsx';

const PENDING = <SkeletonRegion className="grid grid-cols-2 gap-4 lg:grid-cols-4" boxes={Array(4).fill('h-28')} />;

const AdminDashboard = lazyWithRetry(
  () => import('../features/admin/admin-dashboard.tsx').then((module) => module.AdminDashboard),
  undefined,
  PENDING,
);

export const AdminPage = () => {
  const { user, isLoading } = useSession();
  return (
    <div className="container-page py-8 md:py-12">
      {isLoading ? (
        PENDING
      ) : user && user.role !== 'user' && !user.suspendedUntil ? (
        <AdminDashboard me={user} />
      ) : (
        <AdminGate />
      )}
    </div>
  );
};
