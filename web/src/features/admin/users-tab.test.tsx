import { fireEvent, screen, waitFor } from '@testing-library/react';
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

test('a user whose ads are still being hidden or restored is marked', async () => {
  const [bob, ann] = [sampleAdminUser({ displayName: 'Bob' }), sampleAdminUser({ id: '3', displayName: 'Ann' })];
  const items = [{ ...bob, isBanned: true, isUpdatePending: true }, ann];
  renderAt({ routes: [{ path: '/', element }], boot: { data: { '/api/admin/users': { ...users, items } } } });
  expect(await screen.findAllByText('Update under way')).toHaveLength(1);
});
