import { Bell } from 'lucide-react';
import { XLogo } from '../../ui/icons.tsx';
import type { LazyMenuProps } from '../../ui/lazy-overlays.tsx';
import { Menu, MenuCheckboxItem, MenuItem } from '../../ui/menu.tsx';

interface FollowMenuProps extends LazyMenuProps {
  username: string;
  isFollowing: boolean;
  onFollowing: (isFollowing: boolean) => void;
}

/** The two ways to follow a seller: here, and on X. */
export const FollowMenu = ({ username, isFollowing, onFollowing, ...menu }: FollowMenuProps) => (
  <Menu {...menu} label="Follow">
    <MenuCheckboxItem checked={isFollowing} onCheckedChange={onFollowing}>
      <Bell />
      Notify me about new ads
    </MenuCheckboxItem>
    <MenuItem asChild>
      <a href={`https://x.com/intent/follow?screen_name=${username}`} target="_blank" rel="noopener">
        <XLogo />
        Follow on X
      </a>
    </MenuItem>
  </Menu>
);
