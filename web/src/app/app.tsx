import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { SWRConfig, useSWRConfig } from 'swr';
import type { InitialState } from '../../../contract/initial-state.ts';
import { setCurrency } from '../../../contract/money.ts';
import { SIGNED_OUT, SUSPENDED, setShownUserId } from '../api/client.ts';
import { createQueryCache, SWR_DEFAULTS } from '../api/query.ts';
import { ME_KEY, useSession } from '../api/session.ts';
import { SiteConfigContext } from '../lib/site-config.tsx';
import { readStored, TYPED_TEXT } from '../lib/storage.ts';
import { ToastProvider } from '../ui/toast/toast.tsx';
import { RootErrorBoundary } from './error-page.tsx';
import { RetryAfterContext } from './rate-limited.tsx';

interface EarlyClicks {
  keepClick?: (event: Event) => void;
  earlyClick?: Event;
}

/** Runs after hydration: stops recording early clicks (see index.html) and replays the last one. */
const replayEarlyClick = (): void => {
  const { keepClick, earlyClick } = window as EarlyClicks;
  if (keepClick) document.removeEventListener('click', keepClick, true);
  document.getElementById('late')?.remove();
  // A click that is still being dispatched triggers hydration in React and reaches the button by itself.
  if (!earlyClick || earlyClick.eventPhase !== Event.NONE) return;
  const button = (earlyClick.target as Element).closest('button');
  if (button?.isConnected) button.click();
};

const restoreTypedText = (): void => {
  if (readStored('sessionStorage', TYPED_TEXT)) void import('../lib/typed-text.ts').then((m) => m.restoreTypedText());
};

export const App = ({ initialState, children }: { initialState: InitialState; children: ReactNode }) => {
  useEffect(replayEarlyClick, []);
  useEffect(restoreTypedText, []);
  return (
    <StrictMode>
      <RootErrorBoundary>
        <Providers initialState={initialState}>{children}</Providers>
      </RootErrorBoundary>
    </StrictMode>
  );
};

export const Providers = ({ initialState, children }: { initialState: InitialState; children: ReactNode }) => {
  const [cache] = useState(() => {
    // before anything shows a price
    setCurrency(initialState.env.currency);
    return createQueryCache(initialState);
  });
  return (
    <SiteConfigContext value={initialState.env}>
      <RetryAfterContext value={initialState.retryAfter}>
        <SWRConfig value={{ ...SWR_DEFAULTS, provider: () => cache }}>
          <SessionWatch />
          <ToastProvider>{children}</ToastProvider>
        </SWRConfig>
      </RetryAfterContext>
    </SiteConfigContext>
  );
};

/** Names the user of the page to the server. Signs out, or reads until when the user is suspended, when a response says so. */
const SessionWatch = () => {
  const { mutate } = useSWRConfig();
  const { user } = useSession();
  // Comes before the effects of the page, which send requests.
  useEffect(() => setShownUserId(user === undefined ? undefined : (user?.id ?? '')), [user]);
  useEffect(() => {
    const handleSignedOut = () => {
      setShownUserId('');
      void mutate(ME_KEY, null, { revalidate: false });
    };
    const handleSuspended = () => void mutate(ME_KEY);
    window.addEventListener(SIGNED_OUT, handleSignedOut);
    window.addEventListener(SUSPENDED, handleSuspended);
    return () => {
      window.removeEventListener(SIGNED_OUT, handleSignedOut);
      window.removeEventListener(SUSPENDED, handleSuspended);
    };
  }, [mutate]);
  return null;
};
