import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { AlertDialogContent, Sheet } from '../ui/overlays.tsx';

const Page = () => {
  const [open, setOpen] = useState<'menu' | 'sheet'>();
  const [isAsking, setAsking] = useState(false);
  const account = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(undefined);
  const handleDrawer = () => {
    close();
    setAsking(true);
  };
  return (
    <>
      <button type="button" ref={account} onClick={() => setOpen('menu')}>
        Account
      </button>
      <Menu open={open === 'menu'} onOpenChange={close} anchorRef={account} focusFirstItem label="Account">
        <MenuItem onSelect={() => setAsking(true)}>Logout</MenuItem>
      </Menu>
      <button type="button" onClick={() => setOpen('sheet')}>
        Menu
      </button>
      <Sheet open={open === 'sheet'} onOpenChange={close} title="Menu">
        <button type="button" onClick={handleDrawer}>
          Logout
        </button>
      </Sheet>
      <main id="main" tabIndex={-1} />
      <AlertDialogContent
        open={isAsking}
        onOpenChange={setAsking}
        title="Leave?"
        text="It is lost."
        confirmLabel="Leave"
        onConfirm={() => undefined}
      />
    </>
  );
};

test.each(['Account', 'Menu'])(
  'a question asked from what %s opened gives the focus back to that button',
  async (name) => {
    render(<Page />);
    const opener = screen.getByRole('button', { name });
    const gotFocus: unknown[] = [];
    opener.focus();
    fireEvent.click(opener);
    const item = await screen.findByText('Logout');
    await waitFor(() => expect(document.activeElement).not.toBe(opener));
    item.focus();
    opener.addEventListener('focus', () => gotFocus.push(opener));
    fireEvent.click(item);
    const cancel = await screen.findByText('Cancel');
    // The closing menu returns the focus after the dialog took it, and the dialog takes it again.
    await waitFor(() => expect(gotFocus).toHaveLength(1));
    await waitFor(() => expect(document.activeElement).toBe(cancel));
    fireEvent.click(cancel);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(opener));
  },
);
