import { Bell as BellIcon, Menu as MenuIcon, Moon, Plus, Search, Sun, X } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { Link, NavLink, useLocation, useSearchParams } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { useSession } from '../../api/session.ts';
import { useGoToPostAd, useOpenSignIn } from '../../features/auth/sign-in.tsx';
import { SearchForm } from '../../features/search/search-form.tsx';
import { type Unread, UnreadMarks, useUnread, withUnread } from '../../features/unread/unread.tsx';
import { preload } from '../../lib/chunks.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { Logo } from '../../ui/icons.tsx';
import { lazyOverlay, MenuButton } from '../../ui/lazy-overlays.tsx';

const loadThemeMenu = () => import('./menus.tsx').then((module) => module.ThemeMenu);
const loadUserMenu = () => import('./menus.tsx').then((module) => module.UserMenu);
const loadDrawer = () => import('./drawer.tsx').then((module) => module.Drawer);
const Drawer = lazyOverlay(loadDrawer);

const LINKS = [
  { to: '/', label: 'shell.browse' },
  { to: '/categories', label: 'shell.categories' },
  { to: '/how-it-works', label: 'shell.help' },
] as const;

export const Navbar = () => {
  const { user } = useSession();
  const unread = useUnread();
  const openSignIn = useOpenSignIn();
  const postAd = useGoToPostAd();
  const { key, pathname } = useLocation();
  const isOfCategory = useSearchParams()[0].has('category');
  // there the search is the first thing on the page
  const isList = pathname === '/' || (pathname === '/categories' && isOfCategory);
  const [isSearching, setSearching] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);

  // Runs before the next frame: code that scrolls then must find the header at its final height.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation closes both, also one to the same page
  useLayoutEffect(() => {
    setSearching(false);
    setDrawerOpen(false);
  }, [key]);

  return (
    <header className="print:hidden sticky top-0 z-header border-b border-border bg-background">
      <div className="container-page flex min-h-14 flex-wrap items-center gap-x-2 md:min-h-16 md:flex-nowrap md:gap-4">
        <Brand />
        <nav aria-label={t('shell.mainNavigation')} className="hidden items-center md:flex">
          {LINKS.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              end
              className="flex min-h-10 items-center rounded-control px-3 text-sm font-medium text-muted-foreground hover:bg-muted hover:text-foreground aria-[current=page]:text-foreground"
            >
              {t(label)}
            </NavLink>
          ))}
        </nav>
        <SearchForm className="hidden min-w-0 flex-1 md:block lg:max-w-md" />
        <div className="ms-auto flex items-center gap-1 md:gap-2">
          {isList ? null : (
            <Button
              variant="ghost"
              size="icon"
              className="md:hidden"
              aria-label={isSearching ? t('shell.closeSearch') : t('shell.search')}
              aria-expanded={isSearching}
              onClick={() => setSearching(!isSearching)}
            >
              {isSearching ? <X className="size-5" /> : <Search className="size-5" />}
            </Button>
          )}
          <div className="hidden md:block">
            <MenuButton label={t('shell.theme')} load={loadThemeMenu}>
              <Sun className="size-5 dark:hidden" />
              <Moon className="hidden size-5 dark:block" />
            </MenuButton>
          </div>
          {user ? <Bell unread={unread} /> : null}
          {user === null ? (
            <Button variant="outline" className="max-md:hidden" onClick={() => openSignIn()}>
              {t('shell.signIn')}
            </Button>
          ) : null}
          <Button className="max-md:hidden" onClick={postAd}>
            <Plus />
            {t('shell.post')}
          </Button>
          {user ? (
            <div className="hidden md:block">
              <MenuButton label={t('shell.accountMenu')} load={loadUserMenu} className="rounded-full">
                <Avatar src={user.avatar} name={user.displayName} className="size-9" />
              </MenuButton>
            </div>
          ) : null}
          <Button
            variant="ghost"
            size="icon"
            className="md:hidden"
            aria-label={t('shell.menu')}
            aria-haspopup="dialog"
            aria-expanded={isDrawerOpen}
            onPointerEnter={preload(loadDrawer)}
            onFocus={preload(loadDrawer)}
            onClick={() => setDrawerOpen(true)}
          >
            <MenuIcon className="size-5" />
          </Button>
        </div>
      </div>
      {isSearching ? <SearchForm className="container-page pb-3 md:hidden" autoFocus /> : null}
      <Drawer open={isDrawerOpen} unread={unread} onOpenChange={setDrawerOpen} />
    </header>
  );
};

export const Bell = ({ unread }: { unread: Unread }) => (
  <LinkButton to="/messages" variant="ghost" size="icon" aria-label={withUnread(t('shell.messages'), unread)}>
    <span className="relative">
      <BellIcon className="size-5" />
      <UnreadMarks unread={unread} />
    </span>
  </LinkButton>
);

export const Brand = () => {
  const { siteName, logo, isBeta } = useSiteConfig();
  return (
    <Link
      to="/"
      className="flex min-h-11 min-w-0 basis-28 grow items-center gap-2 rounded-control md:basis-auto md:grow-0"
    >
      <Logo src={logo} />
      {/* beside a long name the badge has no room: it begins a second line, which is not seen */}
      <span className="flex h-8 min-w-0 flex-wrap gap-x-2 overflow-hidden *:max-w-full max-xs:sr-only">
        <span translate="no" className="truncate text-lg/8 font-semibold tracking-tight">
          {siteName}
        </span>
        {isBeta ? (
          <Badge variant="accent" className="my-1">
            {t('shell.beta')}
          </Badge>
        ) : null}
      </span>
    </Link>
  );
};
