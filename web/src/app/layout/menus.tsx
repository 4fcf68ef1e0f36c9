import {
  Bell,
  Check,
  ExternalLink,
  LayoutDashboard,
  LogOut,
  MessageCircle,
  Monitor,
  Moon,
  Settings,
  Shield,
  SlidersHorizontal,
  Sun,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router-dom';
import { useSession } from '../../api/session.ts';
import { useSignOut, X_SETTINGS } from '../../features/auth/sign-in.tsx';
import { UnreadBadge, useUnread } from '../../features/unread/unread.tsx';
import { type Theme, useTheme } from '../../lib/theme.ts';
import { Menu, MenuItem, MenuRadioGroup, MenuRadioItem, MenuSeparator } from '../../ui/menu.tsx';
import type { LazyMenuProps } from '../../ui/menu-props.ts';

const THEMES = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const;

export const ThemeMenu = (props: LazyMenuProps) => {
  const [theme, setTheme] = useTheme();
  return (
    <Menu {...props} label="Theme">
      <MenuRadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
        {THEMES.map(({ value, label, icon: Icon }) => (
          <MenuRadioItem key={value} value={value}>
            <Icon />
            {label}
            <DropdownMenu.ItemIndicator className="ml-auto">
              <Check />
            </DropdownMenu.ItemIndicator>
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </Menu>
  );
};

export const UserMenu = (props: LazyMenuProps) => {
  const { user } = useSession();
  const signOut = useSignOut();
  const unread = useUnread();
  return (
    <Menu {...props} label="Account">
      {user ? (
        <div className="px-3 py-2">
          <p className="font-semibold">{user.displayName}</p>
          {user.username ? <p className="text-sm text-muted-foreground">@{user.username}</p> : null}
        </div>
      ) : null}
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/dashboard">
          <LayoutDashboard />
          Dashboard
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/messages">
          <MessageCircle />
          Messages
          <UnreadBadge count={unread.messages} className="ml-auto" />
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/notifications">
          <Bell />
          Notifications
          <UnreadBadge count={unread.notifications} className="ml-auto" />
        </Link>
      </MenuItem>
      {user && user.role !== 'user' ? (
        <MenuItem asChild>
          <Link to="/admin">
            <Shield />
            Admin Panel
          </Link>
        </MenuItem>
      ) : null}
      <MenuItem asChild>
        <Link to="/preferences">
          <SlidersHorizontal />
          Preferences
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a href={X_SETTINGS} target="_blank" rel="noopener">
          <Settings />
          Settings
          <ExternalLink className="ml-auto" />
        </a>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut />
        Logout
      </MenuItem>
    </Menu>
  );
};
