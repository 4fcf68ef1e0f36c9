import { useSession } from '../../api/session.ts';
import { SignInGate } from '../../features/session/sign-in-gate.tsx';
import { PageTitle } from '../../features/site/page-title.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { CreateAd } from './create-ad.tsx';

export const CreateAdPage = () => {
  const { user } = useSession();
  return (
    <>
      <PageTitle title="Post a New Ad" />
      {user === undefined ? <PageSkeleton /> : null}
      {user === null ? (
        <SignInGate title="Please sign in to create an ad" text="You need to be logged in to post ads." />
      ) : null}
      {user ? <CreateAd user={user} /> : null}
    </>
  );
};
