import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAdminUser, sampleMe } from '../test/samples.ts';
import { AdminPage } from './admin.tsx';

const element = (
  <main id="main" tabIndex={-1}>
    <AdminPage />
  </main>
);

test('a person who signs in as an administrator goes on from the page’s beginning: the button that led there is gone', async () => {
  fakeApi({
    'POST /api/auth/admin': { json: sampleMe({ role: 'admin' }) },
    'GET /api/admin/stats': { status: 503 },
    'GET /api/admin/users': { status: 503 },
  });
  renderAt({ routes: [{ path: '/', element }] });
  const opener = screen.getByRole('button', { name: 'Admin Login' });
  opener.focus();
  fireEvent.click(opener);
  fireEvent.change(await screen.findByLabelText('Username'), { target: { value: 'root' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a long password' } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign In as Admin' }));
  expect(await screen.findByRole('heading', { name: 'Administration' })).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(document.getElementById('main')));
});

test('a moderator sees users and ads, no settings, and only what they may do', async () => {
  const ann = sampleAdminUser({ id: '7', displayName: 'Ann', email: null, twitterId: null });
  const boss = sampleAdminUser({ id: '8', displayName: 'Boss', role: 'admin' });
  fakeApi({
    'GET /api/admin/stats': { status: 503 },
    'GET /api/admin/reports/count': { json: { open: 0 } },
    'GET /api/admin/users': { json: [ann, boss] },
  });
  renderAt({
    routes: [{ path: '/', element }],
    at: '/?tab=settings',
    boot: { me: sampleMe({ id: '1', role: 'moderator' }) },
  });
  const tabs = await screen.findAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent?.trim())).toEqual(['Users', 'Ads', 'Reports', 'Analytics']);
  fireEvent.click(await screen.findByRole('button', { name: 'View details of Ann' }));
  expect(await screen.findByRole('button', { name: 'Warn' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Suspend' })).toBeDefined();
  for (const name of ['Ban User', 'Delete User', 'Ban Ann']) expect(screen.queryByRole('button', { name })).toBeNull();
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
  fireEvent.click(await screen.findByRole('button', { name: 'View details of Boss' }));
  await screen.findByText('Administrator', { selector: 'dd' });
  expect(screen.queryByRole('button', { name: 'Warn' })).toBeNull();
});

test('a suspended administrator sees the gate', async () => {
  const suspendedUntil = new Date(Date.now() + 86_400_000).toISOString();
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe({ role: 'admin', suspendedUntil }) } });
  expect(await screen.findByRole('heading', { name: 'Admin Access Required' })).toBeDefined();
});
