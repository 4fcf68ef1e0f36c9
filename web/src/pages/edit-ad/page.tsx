import { SearchX } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { getAd } from '../../../../contract/ads.ts';
import { useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { SignInGate } from '../../features/session/sign-in-gate.tsx';
import { PageTitle } from '../../features/site/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { EditAd } from './edit-ad.tsx';
import { NotTheOwner } from './not-the-owner.tsx';

export const EditAdPage = () => (
  <>
    <PageTitle title="Edit Your Ad" />
    <EditAdContent />
  </>
);

const EditAdContent = () => {
  const { id = '' } = useParams();
  const { user } = useSession();
  const { data: ad, error } = useCall(getAd, user ? { params: { id } } : null);
  if (user === null) return <SignInGate title="Please sign in to edit ads" />;
  if (error) return <AdNotFound />;
  if (!user || !ad) return <PageSkeleton />;
  return user.id === ad.userId ? <EditAd key={ad.id} ad={ad} /> : <NotTheOwner />;
};

const AdNotFound = () => (
  <div className="container-page py-16">
    <Empty heading="h1" icon={SearchX} title="Ad not found">
      <Button asChild>
        <Link to="/dashboard">Back to Dashboard</Link>
      </Button>
    </Empty>
  </div>
);
