import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { expect, test, vi } from 'vitest';
import { CreateAdPage } from '../../pages/create-ad.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { useSignOut } from './use-sign-out.ts';

const WithLogout = () => {
  const signOut = useSignOut();
  return (
    <>
      <button type="button" onClick={() => void signOut()}>
        Logout
      </button>
      <Outlet />
    </>
  );
};
const pages = [
  { path: '/', element: <p>home</p> },
  { path: '/create-ad', element: <CreateAdPage /> },
];
const LOGOUT = 'POST /api/auth/logout';
const open = () =>
  renderAt({ routes: [{ element: <WithLogout />, children: pages }], at: '/create-ad', boot: { me: sampleMe() } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const title = () => screen.getByLabelText<HTMLInputElement>('Title');
const type = (value: string) => fireEvent.change(title(), { target: { value } });
const drafts = () => JSON.stringify({ ...sessionStorage });

test('where nothing is unsaved, it goes home without a question', async () => {
  fakeApi({ [LOGOUT]: { status: 204 } });
  open();
  press('Logout');
  expect(await screen.findByText('home')).toBeDefined();
});

test('an unsaved form asks before the session ends: Cancel keeps both, Leave ends it and goes home', async () => {
  const api = fakeApi({ [LOGOUT]: { status: 204 } });
  // the form asks for a category of what is typed, and where the last ad is
  const asked = () => api.asked.filter((request) => !/^GET \/api\/(search\/category|users\/\d+\/ads)/.test(request));
  open();
  type('Half an ad');
  press('Logout');
  expect(await screen.findByText('What you have not saved is lost when you log out.')).toBeDefined();
  press('Cancel');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(asked()).toEqual([]);
  expect(title().value).toBe('Half an ad');

  press('Logout');
  await screen.findByRole('alertdialog');
  press('Leave');
  expect(await screen.findByText('home')).toBeDefined();
  await waitFor(() => expect(drafts()).not.toContain('Half an ad'));
  expect(asked()).toEqual([LOGOUT]);
});

test('what a reload has brought back is asked about like what was just typed, until it is taken out again', async () => {
  fakeApi({ [LOGOUT]: { status: 204 } });
  open();
  type('Half an ad');
  await waitFor(() => expect(drafts()).toContain('Half an ad'));
  cleanup();
  open();
  expect(title().value).toBe('Half an ad');
  press('Logout');
  expect(await screen.findByText('What you have not saved is lost when you log out.')).toBeDefined();
  press('Cancel');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(drafts()).toContain('Half an ad');
  type('');
  press('Logout');
  expect(await screen.findByText('home')).toBeDefined();
});

test('when it fails it says so, and the form is there as before and asks again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  fakeApi({ [LOGOUT]: { status: 503 } });
  const { router } = open();
  type('Half an ad');
  press('Logout');
  await screen.findByRole('alertdialog');
  press('Leave');
  expect(await screen.findByText('Failed to log out. Please try again.')).toBeDefined();
  expect(title().value).toBe('Half an ad');
  expect(drafts()).toContain('Half an ad');
  await act(() => router.navigate('/'));
  expect(await screen.findByText('Your texts are kept in this tab.')).toBeDefined();
});
