import { Flag } from 'lucide-react';
import type { LazyMenuProps } from '../../ui/lazy-overlays.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';

interface MessageMenuProps extends LazyMenuProps {
  onReport: () => void;
}

/** What the user may do with a received message. */
export const MessageMenu = ({ onReport, ...menu }: MessageMenuProps) => (
  <Menu {...menu} label="Message">
    <MenuItem onSelect={onReport}>
      <Flag />
      Report
    </MenuItem>
  </Menu>
);
