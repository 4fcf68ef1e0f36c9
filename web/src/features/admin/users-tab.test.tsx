import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AdminUser } from '../../../../contract/admin.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAdminUser, sampleMe } from '../../test/samples.ts';
import { TooltipProvider } from './admin-table.tsx';
import { UsersTab } from './users-tab.tsx';

const element = (
  <TooltipProvider>
    <UsersTab me={sampleMe({ id: '1', role: 'admin' })} />
  </TooltipProvider>
);
const users = { items: [sampleAdminUser({ displayName: 'Ann' })], next: null, total: 1, totalExact: true };

test('while a filter’s users are on their way, those of before are marked as old', async () => {
  const { promise, resolve } = Promise.withResolvers<{ json: AdminUser[] }>();
  const api = fakeApi({ 'GET /api/admin/users?status=banned': () => promise });
  renderAt({ routes: [{ path: '/', element }], boot: { data: { '/api/admin/users': users } } });
  const table = screen.getByRole('group', { name: 'Users' });
  expect(table.hasAttribute('aria-busy')).toBe(false);
  fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'banned' } });
  await waitFor(() => expect(api.asked).toEqual(['GET /api/admin/users?status=banned']));
  expect(screen.getByText('Ann')).toBeDefined();
  expect(table.getAttribute('aria-busy')).toBe('true');
  resolve({ json: [sampleAdminUser({ displayName: 'Bob', isBanned: true })] });
  expect(await screen.findByText('Bob')).toBeDefined();
  expect(table.hasAttribute('aria-busy')).toBe(false);
});

test('after a ban the list keeps all its loaded pages', async () => {
  const [ann, bob] = [
    sampleAdminUser({ id: '3', displayName: 'Ann' }),
    sampleAdminUser({ id: '2', displayName: 'Bob' }),
  ];
  const headers = { Link: '</api/admin/users?cursor=3>; rel="next"' };
  const api = fakeApi({
    'GET /api/admin/users?cursor=3': { json: [bob] },
    'GET /api/admin/users': { json: [{ ...ann, isBanned: true }], headers },
    'POST /api/admin/users/3/ban': { json: { ...ann, isBanned: true } },
  });
  const first = { ...users, items: [ann], next: '/api/admin/users?cursor=3', total: 2 };
  renderAt({ routes: [{ path: '/', element }], boot: { data: { '/api/admin/users': first } } });
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Bob')).toBeDefined();
  api.asked.length = 0;
  fireEvent.click(screen.getByRole('button', { name: 'Ban Ann' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Ban User' }));
  const reads = ['GET /api/admin/users', 'GET /api/admin/users?cursor=3'];
  await waitFor(() => expect(api.asked).toEqual(expect.arrayContaining(reads)));
  expect(await screen.findByText('Banned', { selector: 'table *' })).toBeDefined();
  expect(screen.getByText('Bob')).toBeDefined();
});

test('a user whose ads are still being hidden or restored is marked', async () => {
  const [bob, ann] = [sampleAdminUser({ displayName: 'Bob' }), sampleAdminUser({ id: '3', displayName: 'Ann' })];
  const items = [{ ...bob, isBanned: true, isUpdatePending: true }, ann];
  renderAt({ routes: [{ path: '/', element }], boot: { data: { '/api/admin/users': { ...users, items } } } });
  expect(await screen.findAllByText('Update under way')).toHaveLength(1);
});

test('a user is suspended for a number of days, with a reason and a note; then the end shows', async () => {
  const ann = sampleAdminUser({ id: '7', displayName: 'Ann' });
  const suspendedUntil = '2126-11-30T10:00:00.000Z';
  const bodies: unknown[] = [];
  fakeApi({
    'POST /api/admin/users/7/suspend': async (request) => {
      bodies.push(await request.json());
      return { json: { ...ann, suspendedUntil } };
    },
    'GET /api/admin/users': () => ({ json: [bodies.length > 0 ? { ...ann, suspendedUntil } : ann] }),
  });
  renderAt({ routes: [{ path: '/', element }] });
  fireEvent.click(await screen.findByRole('button', { name: 'View details of Ann' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Suspend' }));
  fireEvent.change(await screen.findByLabelText('Duration'), { target: { value: '7' } });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'scam' } });
  fireEvent.change(screen.getByLabelText(/Note to Ann/), { target: { value: 'Asks for prepayment' } });
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Suspend' }));
  expect(await screen.findByText('User suspended')).toBeDefined();
  expect(bodies).toEqual([{ days: 7, reason: 'scam', note: 'Asks for prepayment' }]);
  expect((await screen.findAllByText(/^until Nov 30, 2126/)).length).toBeGreaterThan(0);
  expect(await screen.findByRole('button', { name: 'End Suspension' })).toBeDefined();
});

test('the details of a person say what lets them and their programs in, to administrators', async () => {
  const access = {
    passkeys: { count: 2, lastUsedAt: new Date(Date.now() - 3 * 3_600_000).toISOString() },
    recoveryCodes: 7,
    accessTokens: { count: 1, lastUsedAt: null },
    webhooks: 0,
  };
  const api = fakeApi({ 'GET /api/admin/users/3/access': { json: access } });
  const items = [sampleAdminUser({ id: '3', displayName: 'Ann' })];
  renderAt({ routes: [{ path: '/', element }], boot: { data: { '/api/admin/users': { ...users, items } } } });
  fireEvent.click(screen.getByRole('button', { name: 'View details of Ann' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('2, last used 3 hours ago')).toBeDefined();
  expect(dialog.getByText('1, not used yet')).toBeDefined();
  expect(api.asked).toEqual(['GET /api/admin/users/3/access']);
});
