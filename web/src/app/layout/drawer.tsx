import {
  Bell,
  CircleHelp,
  ExternalLink,
  Grid2x2,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  MessageCircle,
  Plus,
  Settings,
  Shield,
  SlidersHorizontal,
  Store,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { useSession } from '../../api/session.ts';
import { useGoToPostAd, useOpenSignIn } from '../../features/auth/sign-in.tsx';
import { useSignOut, X_SETTINGS } from '../../features/auth/use-sign-out.ts';
import { ThemeChoice } from '../../features/preferences/theme-choice.tsx';
import { SearchForm } from '../../features/search/search-form.tsx';
import { type Unread, UnreadBadge } from '../../features/unread/unread.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Handle } from '../../ui/handle.tsx';
import { Sheet } from '../../ui/overlays.tsx';

const ITEM =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-start font-medium hyphens-auto wrap-anywhere hover:bg-muted';

const Item = ({ to, icon: Icon, children }: { to: string; icon: LucideIcon; children: ReactNode }) => (
  <Link to={to} className={ITEM}>
    <Icon className="size-5 text-muted-foreground" />
    {children}
  </Link>
);

interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  unread: Unread;
}

export const Drawer = ({ open, onOpenChange, unread }: DrawerProps) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const postAd = useGoToPostAd();
  const signOut = useSignOut();
  const closeAnd = (action: () => void) => () => {
    onOpenChange(false);
    action();
  };
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t('shell.menu')}>
      {user ? (
        <div className="flex items-center gap-3 px-1 py-2">
          <Avatar src={user.avatar} name={user.displayName} className="size-11" />
          <div className="min-w-0">
            <p className="truncate font-semibold">{user.displayName}</p>
            {user.username ? (
              <p className="truncate text-sm text-muted-foreground">
                <Handle name={user.username} />
              </p>
            ) : null}
          </div>
        </div>
      ) : null}
      <SearchForm />
      <Button size="lg" onClick={closeAnd(postAd)}>
        <Plus />
        {t('shell.postAd')}
      </Button>
      {user ? null : (
        <Button size="lg" variant="outline" onClick={closeAnd(() => openSignIn())}>
          {t('shell.signIn')}
        </Button>
      )}
      <nav aria-label={t('shell.menu')} className="grid">
        <Item to="/" icon={Store}>
          {t('shell.browse')}
        </Item>
        <Item to="/categories" icon={Grid2x2}>
          {t('shell.categories')}
        </Item>
        <Item to="/how-it-works" icon={CircleHelp}>
          {t('shell.help')}
        </Item>
      </nav>
      {user ? (
        <nav aria-label={t('shell.accountMenu')} className="grid border-t border-border pt-2">
          <Item to="/dashboard" icon={LayoutDashboard}>
            {t('shell.dashboard')}
          </Item>
          <Item to="/messages" icon={MessageCircle}>
            {t('shell.messages')}
            <UnreadBadge count={unread.messages} className="ms-auto" />
          </Item>
          <Item to="/notifications" icon={Bell}>
            {t('shell.notifications')}
            <UnreadBadge count={unread.notifications} className="ms-auto" />
          </Item>
          {user.role !== 'user' ? (
            <Item to="/admin" icon={Shield}>
              {t('shell.adminPanel')}
            </Item>
          ) : null}
          <Item to="/preferences" icon={SlidersHorizontal}>
            {t('shell.preferences')}
          </Item>
          <a href={X_SETTINGS} target="_blank" rel="noopener" className={ITEM}>
            <Settings className="size-5 text-muted-foreground" />
            {t('shell.settings')}
            <ExternalLink className="ms-auto size-4 text-muted-foreground" />
          </a>
          <button type="button" className={ITEM} onClick={closeAnd(() => void signOut())}>
            <LogOut className="size-5 text-muted-foreground" />
            {t('shell.logout')}
          </button>
        </nav>
      ) : null}
      <div className="mt-auto border-t border-border pt-4">
        <ThemeChoice />
      </div>
    </Sheet>
  );
};
