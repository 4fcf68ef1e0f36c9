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
import { useSession } from '../../api/session.ts';
import { useGoToPostAd, useOpenSignIn, useSignOut, X_SETTINGS } from '../../features/auth/sign-in.tsx';
import { ThemeChoice } from '../../features/preferences/theme-choice.tsx';
import { SearchForm } from '../../features/search/search-form.tsx';
import { type Unread, UnreadBadge } from '../../features/unread/unread.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/overlays.tsx';

const ITEM = 'flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-left font-medium hover:bg-muted';

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
    <Sheet open={open} onOpenChange={onOpenChange} title="Menu">
      {user ? (
        <div className="flex items-center gap-3 px-1 py-2">
          <Avatar src={user.avatar} name={user.displayName} className="size-11" />
          <div className="min-w-0">
            <p className="truncate font-semibold">{user.displayName}</p>
            {user.username ? <p className="truncate text-sm text-muted-foreground">@{user.username}</p> : null}
          </div>
        </div>
      ) : null}
      <SearchForm />
      <Button size="lg" onClick={closeAnd(postAd)}>
        <Plus />
        Post Ad
      </Button>
      {user ? null : (
        <Button size="lg" variant="outline" onClick={closeAnd(() => openSignIn())}>
          Sign In
        </Button>
      )}
      <nav aria-label="Menu" className="grid">
        <Item to="/" icon={Store}>
          Browse
        </Item>
        <Item to="/categories" icon={Grid2x2}>
          Categories
        </Item>
        <Item to="/how-it-works" icon={CircleHelp}>
          Help
        </Item>
      </nav>
      {user ? (
        <nav aria-label="Account" className="grid border-t border-border pt-2">
          <Item to="/dashboard" icon={LayoutDashboard}>
            Dashboard
          </Item>
          <Item to="/messages" icon={MessageCircle}>
            Messages
            <UnreadBadge count={unread.messages} className="ml-auto" />
          </Item>
          <Item to="/notifications" icon={Bell}>
            Notifications
            <UnreadBadge count={unread.notifications} className="ml-auto" />
          </Item>
          {user.role !== 'user' ? (
            <Item to="/admin" icon={Shield}>
              Admin Panel
            </Item>
          ) : null}
          <Item to="/preferences" icon={SlidersHorizontal}>
            Preferences
          </Item>
          <a href={X_SETTINGS} target="_blank" rel="noopener" className={ITEM}>
            <Settings className="size-5 text-muted-foreground" />
            Settings
            <ExternalLink className="ml-auto size-4 text-muted-foreground" />
          </a>
          <button type="button" className={ITEM} onClick={closeAnd(() => void signOut())}>
            <LogOut className="size-5 text-muted-foreground" />
            Logout
          </button>
        </nav>
      ) : null}
      <div className="mt-auto border-t border-border pt-4">
        <ThemeChoice />
      </div>
    </Sheet>
  );
};
