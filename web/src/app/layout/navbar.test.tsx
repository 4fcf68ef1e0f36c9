import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { Bell, Navbar } from './navbar.tsx';

test.each([
  ['/', 'Browse'],
  ['/categories', 'Categories'],
  ['/how-it-works', 'Help'],
])('on %s, the link %s of the phone menu closes the menu', async (at, name) => {
  fakeApi({});
  renderAt({ routes: [{ path: '*', element: <Navbar /> }], at });
  for (const _round of [1, 2]) {
    fireEvent.click(screen.getByRole('button', { name: 'Menu', hidden: true }));
    const menu = await screen.findByRole('dialog', { name: 'Menu' });
    fireEvent.click([...menu.querySelectorAll('a')].find((link) => link.textContent === name) as Element);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test.each([
  [0, 0, 'Messages', ''],
  [1, 0, 'Messages, 1 unread', '1'],
  [99, 0, 'Messages, 99 unread', '99'],
  [100, 0, 'Messages, 99+ unread', '99+'],
  [0, 1, 'Messages; notifications unread', ''],
  [100, 2, 'Messages, 99+ unread; notifications unread', '99+'],
])(
  'with %i unread messages and %i notifications, the name of the bell says what it shows',
  (messages, notifications, name, shown) => {
    renderAt({ routes: [{ path: '/', element: <Bell unread={{ messages, notifications }} /> }] });
    const bell = screen.getByRole('link', { name });
    expect(bell.textContent).toBe(shown);
    expect(name).toContain(shown);
    expect(bell.querySelector('[data-slot=unread-dot]') !== null).toBe(notifications > 0);
  },
);
