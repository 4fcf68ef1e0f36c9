import { LogIn } from 'lucide-react';
import { createContext, type ReactNode, use, useCallback, useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyPage } from '../../ui/feedback.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import type { Intent, SignInRequest } from './intent.ts';

const SignInDialog = lazyOverlay(() => import('./sign-in-dialog.tsx').then((module) => module.SignInDialog));

type OpenSignIn = (returnTo?: string, intent?: Intent) => void;

const SignInContext = createContext<OpenSignIn>(() => {});

export const useOpenSignIn = (): OpenSignIn => use(SignInContext);

export const SignInProvider = ({ children }: { children: ReactNode }) => {
  const [request, setRequest] = useState<SignInRequest & { open: boolean }>({ open: false });
  const openSignIn = useCallback<OpenSignIn>((returnTo, intent) => setRequest({ open: true, returnTo, intent }), []);
  const { key } = useLocation();
  // A click whose code has not arrived yet counts on its own page only.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation closes it
  useLayoutEffect(() => setRequest((last) => (last.open ? { ...last, open: false } : last)), [key]);
  return (
    <SignInContext value={openSignIn}>
      {children}
      <SignInDialog {...request} onOpenChange={(open) => setRequest({ ...request, open })} />
    </SignInContext>
  );
};

export const RequireSignIn = ({ title, text }: { title: string; text?: string }) => {
  const openSignIn = useOpenSignIn();
  return (
    <EmptyPage icon={LogIn} title={title} text={text}>
      <Button onClick={() => openSignIn()}>{t('shell.signIn')}</Button>
    </EmptyPage>
  );
};

/** The handler of a "Post" button: opens the form, or the sign-in dialog, which then leads to the form. */
export const useGoToPostAd = (): (() => void) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const navigate = useNavigate();
  return () => {
    if (user) void navigate('/create-ad');
    else openSignIn('/create-ad');
  };
};
