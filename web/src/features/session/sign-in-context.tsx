import { createContext, type ReactNode, Suspense, use, useCallback, useState } from 'react';
import { lazyPart } from '../../lib/load-code.ts';

const SignInDialog = lazyPart(() => import('./sign-in-dialog.tsx').then((module) => module.SignInDialog));

type OpenSignIn = (returnTo?: string) => void;

const SignInContext = createContext<OpenSignIn>(() => {});

/** Opens the sign-in dialog; after signing in one comes back to `returnTo`, by default the present page. */
export const useOpenSignIn = (): OpenSignIn => use(SignInContext);

/** Holds the one sign-in dialog, which loads when it is first needed. */
export const SignInProvider = ({ children }: { children: ReactNode }) => {
  const [request, setRequest] = useState<{ open: boolean; returnTo: string | undefined }>();
  const openSignIn = useCallback<OpenSignIn>((returnTo) => setRequest({ open: true, returnTo }), []);
  return (
    <SignInContext value={openSignIn}>
      {children}
      {request ? (
        <Suspense fallback={null}>
          <SignInDialog
            open={request.open}
            returnTo={request.returnTo}
            onOpenChange={(open) => setRequest({ ...request, open })}
          />
        </Suspense>
      ) : null}
    </SignInContext>
  );
};
