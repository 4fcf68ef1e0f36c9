import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { SWRConfig, useSWRConfig } from 'swr';
import type { InitialState } from '../../../contract/initial-state.ts';
import { SIGNED_OUT } from '../api/client.ts';
import { createQueryCache, SWR_DEFAULTS } from '../api/query.ts';
import { ME_KEY } from '../api/session.ts';
import { ToastProvider } from '../ui/toast/toast-provider.tsx';
import { replayEarlyClick } from './startup/initial-state.ts';
import { SiteConfigContext } from './startup/page-title.tsx';

/** The whole application around its router: the same tree in the browser and where the server renders its first HTML. */
export const App = ({ boot, children }: { boot: InitialState; children: ReactNode }) => {
  useEffect(replayEarlyClick, []);
  return (
    <StrictMode>
      <Providers boot={boot}>{children}</Providers>
    </StrictMode>
  );
};

/** Everything that pages reach through context: settings, data cache, toasts. */
export const Providers = ({ boot, children }: { boot: InitialState; children: ReactNode }) => {
  const [cache] = useState(() => createQueryCache(boot));
  return (
    <SiteConfigContext value={boot.env}>
      <SWRConfig value={{ ...SWR_DEFAULTS, provider: () => cache }}>
        <SessionWatch />
        <ToastProvider>{children}</ToastProvider>
      </SWRConfig>
    </SiteConfigContext>
  );
};

/** A session that ended elsewhere shows itself by a refused call: the page then becomes a signed-out one. */
const SessionWatch = () => {
  const { mutate } = useSWRConfig();
  useEffect(() => {
    const handleSignedOut = () => void mutate(ME_KEY, null, { revalidate: false });
    window.addEventListener(SIGNED_OUT, handleSignedOut);
    return () => window.removeEventListener(SIGNED_OUT, handleSignedOut);
  }, [mutate]);
  return null;
};
