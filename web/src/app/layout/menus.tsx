import { Check, LayoutDashboard, LogOut, MessageCircle, Monitor, Moon, Settings, Shield, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router-dom';
import { useSession } from '../../api/session.ts';
import { useSignOut } from '../../features/auth/sign-in.tsx';
import { type Theme, useTheme } from '../../lib/theme.ts';
import type { LazyMenuProps } from '../../ui/lazy-overlays.tsx';
import { Menu, MenuItem, MenuRadioGroup, MenuRadioItem, MenuSeparator } from '../../ui/menu.tsx';
import { X_SETTINGS } from './navigation.ts';

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
            <Icon aria-hidden="true" />
            {label}
            <DropdownMenu.ItemIndicator className="ml-auto">
              <Check aria-hidden="true" />
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
          <LayoutDashboard aria-hidden="true" />
          Dashboard
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/messages">
          <MessageCircle aria-hidden="true" />
          Messages
        </Link>
      </MenuItem>
      {user?.role === 'admin' ? (
        <MenuItem asChild>
          <Link to="/admin">
            <Shield aria-hidden="true" />
            Admin Panel
          </Link>
        </MenuItem>
      ) : null}
      <MenuItem asChild>
        <a href={X_SETTINGS} target="_blank" rel="noopener">
          <Settings aria-hidden="true" />
          Settings
        </a>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden="true" />
        Logout
      </MenuItem>
    </Menu>
  );
};
