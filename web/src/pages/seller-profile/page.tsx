import { UserX } from 'lucide-react';
import { useNavigate, useParams } from 'react-router-dom';
import { getProfile } from '../../../../contract/users.ts';
import { hasStatus } from '../../api/api-error.ts';
import { useCall } from '../../api/use-call.ts';
import { PageTitle } from '../../features/site/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Failure } from '../../ui/empty.tsx';
import { ProfileSkeleton, SellerProfile } from './seller-profile.tsx';

/** A seller as anybody may see them. */
export const SellerProfilePage = () => {
  const { username = '' } = useParams();
  // What the first tab shows too: one request for both.
  const { data, error, mutate } = useCall(getProfile, { params: { username }, query: { status: 'active' } });
  return (
    <div className="container-page py-8 md:py-12">
      <PageTitle title={data ? `${data.items.user.displayName} (@${data.items.user.username})` : undefined} />
      {data ? (
        <SellerProfile key={username} profile={data.items} />
      ) : error ? (
        hasStatus(error, 404) ? (
          <UserNotFound />
        ) : (
          <Failure title="Failed to load this profile" onRetry={() => void mutate()} />
        )
      ) : (
        <ProfileSkeleton />
      )}
    </div>
  );
};

const UserNotFound = () => {
  const navigate = useNavigate();
  return (
    <Empty
      icon={UserX}
      heading="h1"
      title="User Not Found"
      text="This person doesn't exist or has left the marketplace."
    >
      <PageTitle title="User Not Found" />
      <Button onClick={() => void navigate(-1)}>Go Back</Button>
    </Empty>
  );
};
