import { LayoutDashboard, LogOut, MessageCircle, Settings, Shield } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useSession } from '../../api/session.ts';
import { useSignOut } from '../../features/session/use-sign-out.ts';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import type { LazyMenuProps } from '../../ui/menu-button.tsx';
import { X_SETTINGS } from './navigation.ts';

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
