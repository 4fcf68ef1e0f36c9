import { useEffect, useRef } from 'react';
import {
  type Location,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useNavigation,
  useSearchParams,
} from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { useSession } from '../../api/session.ts';
import { SignInProvider } from '../../features/auth/sign-in.tsx';
import { FavoritesProvider } from '../../features/favorites/favorites.tsx';
import { useEndPushOfPreviousUser } from '../../features/push/use-end-push-of-previous-user.ts';
import { useUnreadPoll } from '../../features/unread/unread.tsx';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import { Announcer, announce } from '../../lib/announcer.tsx';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { RouteTitle, useSiteConfig } from '../../lib/site-config.tsx';
import { readStored } from '../../lib/storage.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';
import { OfflineBar } from './offline-bar.tsx';

const DevPanel = lazyWithRetry(() => import('./dev-panel.tsx').then((module) => module.DevPanel));

const RedirectToast = lazyWithRetry(
  () => import('./redirect-toasts.tsx').then((module) => module.RedirectToast),
  () => null,
);

const SuspensionBanner = lazyWithRetry(
  () => import('./suspension.tsx').then((module) => module.SuspensionBanner),
  () => null,
);

const SuspendedPage = lazyWithRetry(() => import('./suspension.tsx').then((module) => module.SuspendedPage));

/** The page, or for a suspended person why they cannot use it. */
export const GoodStanding = () => {
  const until = useSession().user?.suspendedUntil;
  return until ? <SuspendedPage until={until} /> : <Outlet />;
};

const AccountWatch = lazyWithRetry(
  () => import('./account-watch.tsx').then((module) => module.AccountWatch),
  () => null,
);

// If this chunk cannot be loaded, the screens poll.
const EventStream = lazyWithRetry(
  () => import('../../features/messages/event-stream.tsx').then((module) => module.EventStream),
  () => null,
);

/**
 * The key of a scroll position. The first location of every document has the key 'default', so the URL is used instead.
 */
const getScrollKey = ({ key, pathname, search }: Location): string => (key === 'default' ? pathname + search : key);

export const Shell = () => (
  <SignInProvider>
    <SkipLink />
    <ProgressBar />
    {/* Comes before the page, so that the page's own title wins. */}
    <RouteTitle />
    <Navbar />
    {/* the footer begins below the window: a page that loads does not move it in sight */}
    <main id="main" tabIndex={-1} className="min-h-[calc(100lvh-7rem)]">
      <FavoritesProvider>
        <Outlet />
      </FavoritesProvider>
    </main>
    <Footer />
    <BottomBar />
    <Announcer />
    <RouteFocus />
    <ScrollRestoration getKey={getScrollKey} />
    <ClientOnly />
  </SignInProvider>
);

/** Parts that the server does not render. A separate component, so that hydration does not render the shell twice. */
const ClientOnly = () => {
  const { testUsers } = useSiteConfig();
  const [params] = useSearchParams();
  if (!useHydrated()) return null;
  return (
    <>
      <OfflineBar />
      <AccountWatch />
      <Live />
      {['auth', 'x'].map((parameter) =>
        params.has(parameter) ? <RedirectToast key={parameter} parameter={parameter} /> : null,
      )}
      {testUsers.length > 0 && location.hostname === 'localhost' ? <DevPanel users={testUsers} /> : null}
    </>
  );
};

const Live = () => {
  const { user } = useSession();
  useEndPushOfPreviousUser(user?.id);
  useUnreadPoll();
  // EventSource cannot send X-Test-User.
  if (user?.suspendedUntil) return <SuspensionBanner until={user.suspendedUntil} />;
  if (!user || readStored('localStorage', 'testUser')) return null;
  return <EventStream key={user.id} userId={user.id} />;
};

export const SkipLink = () => (
  <a
    href="#main"
    className="not-focus:sr-only fixed top-2 start-2 z-skip-link rounded-control bg-primary px-4 py-3 font-medium text-primary-foreground"
  >
    {t('shell.skipToContent')}
  </a>
);

export const ProgressBar = () => {
  const { state } = useNavigation();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  if (state === 'idle') return null;
  // A navigation to the page itself takes the place of the one that waits.
  const giveUp = () => void navigate({ pathname, search, hash }, { replace: true, preventScrollReset: true });
  return (
    <>
      <Waiting onGiveUp={giveUp} />
      <div
        aria-hidden="true"
        className="fixed inset-x-0 top-0 z-toast h-0.5 animate-skeleton bg-primary transition-opacity delay-150 starting:opacity-0"
      />
    </>
  );
};

const focus = (element: HTMLElement | null): void => {
  if (!element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
};

const focusHeading = (main: HTMLElement): (() => void) => {
  let frame = 0;
  // By the next frame, the page's effects have set the title.
  const announceTitle = () => {
    frame = requestAnimationFrame(() => announce(document.title));
  };
  const findHeading = (): boolean => {
    const heading = main.querySelector<HTMLElement>('h1');
    if (!heading) return false;
    focus(heading);
    announceTitle();
    return true;
  };
  const observer = new MutationObserver(() => {
    // Stop if the user has moved the focus.
    if (document.activeElement !== main || findHeading()) observer.disconnect();
  });
  // A field of the new page that took the focus already keeps it.
  if (document.activeElement?.matches('[data-takes-focus]')) announceTitle();
  else if (!findHeading()) {
    focus(main);
    observer.observe(main, { childList: true, subtree: true });
  }
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
};

/** After a navigation, moves the focus to the new page and announces its title, as a page load would. */
export const RouteFocus = () => {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    const main = document.getElementById('main');
    if (shown.current === pathname || !main) return;
    shown.current = pathname;
    // A tab that leads to another page keeps the focus.
    if (document.activeElement?.matches('[role=tab]')) return;
    return focusHeading(main);
  }, [pathname]);
  return null;
};
