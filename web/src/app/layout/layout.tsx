import { Suspense, useEffect, useRef } from 'react';
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { useSession } from '../../api/session.ts';
import { SignInProvider } from '../../features/auth/sign-in.tsx';
import { FavoritesProvider } from '../../features/favorites/favorites.tsx';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import { Announcer, announce } from '../../lib/announcer.tsx';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { RouteTitle, useSiteConfig } from '../../lib/site-config.tsx';
import { readStored } from '../../lib/storage.ts';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';
import { AuthResult, XResult } from './redirect-toasts.tsx';

const DevPanel = lazyWithRetry(() => import('./dev-panel.tsx').then((module) => module.DevPanel));

// Without this chunk the screens poll.
const EventStream = lazyWithRetry(
  () => import('../../features/messages/event-stream.tsx').then((module) => module.EventStream),
  () => null,
);

/** The key of a scroll position. Every document's first location has the key 'default', so the URL is used instead. */
const getScrollKey = ({ key, pathname, search }: Location): string => (key === 'default' ? pathname + search : key);

/** What surrounds every page. */
export const Shell = () => (
  <SignInProvider>
    <SkipLink />
    <ProgressBar />
    {/* Before the page, whose own title then wins. */}
    <RouteTitle />
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
    <ScrollRestoration getKey={getScrollKey} />
    <ClientOnly />
  </SignInProvider>
);

/** What is not rendered on the server. A component of its own, so that hydration does not render the shell twice. */
const ClientOnly = () => {
  const { testUsers } = useSiteConfig();
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
      <EventStream key={user.id} />
    </Suspense>
  );
};

export const SkipLink = () => (
  <a
    href="#main"
    className="not-focus:sr-only fixed top-2 left-2 z-skip-link rounded-control bg-primary px-4 py-3 font-medium text-primary-foreground"
  >
    Skip to content
  </a>
);

/** A thin bar at the top while the next page's code is on its way; quick changes never show it. */
export const ProgressBar = () => {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div
      aria-hidden="true"
      className="fixed inset-x-0 top-0 z-toast h-0.5 animate-skeleton bg-primary transition-opacity delay-150 starting:opacity-0"
    />
  );
};

const focus = (element: HTMLElement | null): void => {
  if (!element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
};

/** Focuses the page's heading and announces its title, as soon as the heading exists. */
const focusHeading = (main: HTMLElement): (() => void) => {
  let frame = 0;
  const findHeading = (): boolean => {
    const heading = main.querySelector<HTMLElement>('h1');
    if (!heading) return false;
    focus(heading);
    // The page's own effects, which set the title, have run by the next frame.
    frame = requestAnimationFrame(() => announce(document.title));
    return true;
  };
  const observer = new MutationObserver(() => {
    // Stop where the user has moved the focus.
    if (document.activeElement !== main || findHeading()) observer.disconnect();
  });
  if (!findHeading()) {
    focus(main);
    observer.observe(main, { childList: true, subtree: true });
  }
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
};

/** After a navigation, moves the focus to the new page and announces its title, as a page load does. */
export const RouteFocus = () => {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    const main = document.getElementById('main');
    if (shown.current === pathname || !main) return;
    shown.current = pathname;
    return focusHeading(main);
  }, [pathname]);
  return null;
};
