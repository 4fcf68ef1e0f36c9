import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleMe } from '../test/samples.ts';
import { AdminPage } from './admin.tsx';

const element = (
  <main id="main" tabIndex={-1}>
    <AdminPage />
  </main>
);

test('whoever signs in as an administrator goes on from the page’s beginning: the button that led there is gone', async () => {
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
