import { Suspense } from 'react';
import { type Location, Outlet, ScrollRestoration } from 'react-router-dom';
import { useSession } from '../../api/session.ts';
import { FavoritesProvider } from '../../features/favorites/favorites-context.tsx';
import { SignInProvider } from '../../features/session/sign-in-context.tsx';
import { useSiteEnv } from '../../features/site/site-env.ts';
import { XResult } from '../../features/x-posting/x-result.tsx';
import { Announcer } from '../../lib/announcer.tsx';
import { lazyPart } from '../../lib/load-code.ts';
import { readStored } from '../../lib/storage.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { AuthResult } from './auth-result.tsx';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { RouteFocus } from './route-focus.tsx';
import { SkipLink } from './skip-link.tsx';

const DevPanel = lazyPart(() => import('../dev-panel/dev-panel.tsx').then((module) => module.DevPanel));

// Without this chunk the screens poll: no reason to fail.
const LiveMessages = lazyPart(
  () => import('../../features/messages/live/live-messages.tsx').then((module) => module.LiveMessages),
  () => null,
);

/** Under what the scroll is kept. The first page of each document has one and the same key: it would begin where another was left. */
const placeOf = ({ key, pathname, search }: Location): string => (key === 'default' ? pathname + search : key);

/** What surrounds every page. */
export const Shell = () => (
  <SignInProvider>
    <SkipLink />
    <ProgressBar />
    <Navbar />
    <main id="main" tabIndex={-1} className="min-h-[70vh]">
      <FavoritesProvider>
        <Outlet />
      </FavoritesProvider>
    </main>
    <Footer />
    <Announcer />
    <RouteFocus />
    <AuthResult />
    <XResult />
    <ScrollRestoration getKey={placeOf} />
    <OnceAlive />
  </SignInProvider>
);

/** What no first HTML has. Apart from the shell, which would be drawn twice for it. */
const OnceAlive = () => {
  const { testUsers } = useSiteEnv();
  if (!useHydrated()) return null;
  return (
    <>
      <Live />
      {testUsers.length > 0 && location.hostname === 'localhost' ? (
        <Suspense fallback={null}>
          <DevPanel users={testUsers} />
        </Suspense>
      ) : null}
    </>
  );
};

const Live = () => {
  const { user } = useSession();
  // A browser's event stream cannot say X-Test-User.
  if (!user || readStored('localStorage', 'testUser')) return null;
  return (
    <Suspense fallback={null}>
      <LiveMessages key={user.id} />
    </Suspense>
  );
};
