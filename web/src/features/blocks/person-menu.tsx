import { Ban, Flag } from 'lucide-react';
import type { LazyMenuProps } from '../../ui/lazy-overlays.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';

interface PersonMenuProps extends LazyMenuProps {
  isBlocked: boolean;
  onReport: () => void;
  onBlock: () => void;
  onUnblock: () => void;
}

/** What the user may do about the other person of a conversation. */
export const PersonMenu = ({ isBlocked, onReport, onBlock, onUnblock, ...menu }: PersonMenuProps) => (
  <Menu {...menu} label="Person">
    <MenuItem onSelect={onReport}>
      <Flag />
      Report
    </MenuItem>
    <MenuItem onSelect={isBlocked ? onUnblock : onBlock}>
      <Ban />
      {isBlocked ? 'Unblock' : 'Block'}
    </MenuItem>
  </Menu>
);
