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
import { t } from '../../../../contract/i18n.ts';
import { useSession } from '../../api/session.ts';
import { useSignOut, X_SETTINGS } from '../../features/auth/use-sign-out.ts';
import { UnreadBadge, useUnread } from '../../features/unread/unread.tsx';
import { type Theme, useTheme } from '../../lib/theme.ts';
import { Handle } from '../../ui/handle.tsx';
import { Menu, MenuItem, MenuRadioGroup, MenuRadioItem, MenuSeparator } from '../../ui/menu.tsx';
import type { LazyMenuProps } from '../../ui/menu-props.ts';

const THEMES = [
  { value: 'light', label: 'shell.themeLight', icon: Sun },
  { value: 'dark', label: 'shell.themeDark', icon: Moon },
  { value: 'system', label: 'shell.themeSystem', icon: Monitor },
] as const;

export const ThemeMenu = (props: LazyMenuProps) => {
  const [theme, setTheme] = useTheme();
  return (
    <Menu {...props} label={t('shell.theme')}>
      <MenuRadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
        {THEMES.map(({ value, label, icon: Icon }) => (
          <MenuRadioItem key={value} value={value}>
            <Icon />
            {t(label)}
            <DropdownMenu.ItemIndicator className="ms-auto">
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
    <Menu {...props} label={t('shell.accountMenu')}>
      {user ? (
        <div className="px-3 py-2">
          <p className="font-semibold">{user.displayName}</p>
          {user.username ? (
            <p className="text-sm text-muted-foreground">
              <Handle name={user.username} />
            </p>
          ) : null}
        </div>
      ) : null}
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/dashboard">
          <LayoutDashboard />
          {t('shell.dashboard')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/messages">
          <MessageCircle />
          {t('shell.messages')}
          <UnreadBadge count={unread.messages} className="ms-auto" />
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/notifications">
          <Bell />
          {t('shell.notifications')}
          <UnreadBadge count={unread.notifications} className="ms-auto" />
        </Link>
      </MenuItem>
      {user && user.role !== 'user' ? (
        <MenuItem asChild>
          <Link to="/admin">
            <Shield />
            {t('shell.adminPanel')}
          </Link>
        </MenuItem>
      ) : null}
      <MenuItem asChild>
        <Link to="/preferences">
          <SlidersHorizontal />
          {t('shell.preferences')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a href={X_SETTINGS} target="_blank" rel="noopener">
          <Settings />
          {t('shell.settings')}
          <ExternalLink className="ms-auto" />
        </a>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut />
        {t('shell.logout')}
      </MenuItem>
    </Menu>
  );
};
