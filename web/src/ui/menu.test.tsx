import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MenuButton } from './lazy-overlays.tsx';
import { Menu, MenuItem } from './menu.tsx';
import type { LazyMenuProps } from './menu-props.ts';

const AccountMenu = (props: LazyMenuProps) => (
  <Menu {...props} label="Account">
    <MenuItem>Dashboard</MenuItem>
    <MenuItem>Logout</MenuItem>
  </Menu>
);
const load = async () => AccountMenu;
const Navbar = ({ unread }: { unread: number }) => (
  <>
    <p>{unread}</p>
    <MenuButton label="Account" load={load}>
      Account
    </MenuButton>
  </>
);

test('a menu that was opened with the keyboard keeps its focus when the navbar renders again', async () => {
  const { rerender } = render(<Navbar unread={0} />);
  fireEvent.click(screen.getByRole('button', { name: 'Account' }), { detail: 0 });
  const items = await screen.findAllByRole('menuitem');
  await waitFor(() => expect(document.activeElement).toBe(items[0]));
  items[1]?.focus();
  rerender(<Navbar unread={1} />);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(items[1]);
});
