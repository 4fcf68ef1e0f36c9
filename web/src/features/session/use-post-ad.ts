import { useNavigate } from 'react-router-dom';
import { useSession } from '../../api/session.ts';
import { useOpenSignIn } from './sign-in-context.tsx';

/** What a "Post" button does: to the form when signed in, else the sign-in dialog, which leads to the form. */
export const usePostAd = (): (() => void) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const navigate = useNavigate();
  return () => {
    if (user) void navigate('/create-ad');
    else openSignIn('/create-ad');
  };
};
