import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { getMe } from '../../../../contract/auth.ts';
import { listNotifications } from '../../../../contract/notifications.ts';
import { apiRequest, SUSPENDED } from '../../api/client.ts';
import { useReplaceSession } from '../../api/session.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Providers } from '../app.tsx';
import { AccountWatch } from './account-watch.tsx';

const reload = vi.fn();
beforeEach(() => {
  reload.mockReset();
  vi.stubGlobal(
    'location',
    new Proxy(location, { get: (target, name) => (name === 'reload' ? reload : Reflect.get(target, name)) }),
  );
});

const Page = ({ isUnsaved = false }) => {
  const replaceSession = useReplaceSession();
  return (
    <>
      <AccountWatch />
      <input aria-label="text" />
      <input aria-label="search" type="search" />
      <button type="button" onClick={() => void replaceSession(null)}>
        sign out
      </button>
      <LeaveGuard isChanged={() => isUnsaved} isUnsaved={() => isUnsaved} text="" />
    </>
  );
};

const open = (me: ReturnType<typeof sampleMe> | null = sampleMe({ id: '1' }), isUnsaved = false) =>
  renderAt({ routes: [{ path: '/', element: <Page isUnsaved={isUnsaved} /> }], boot: { me } });

const LATE_STATE = { env: DEFAULT_SITE_CONFIG, me: sampleMe({ id: '1' }), data: {} };

const Late = ({ isLoaded = false }) => (
  <Providers initialState={LATE_STATE}>{isLoaded ? <AccountWatch /> : null}</Providers>
);

/** As if another tab had written it. */
const signInElsewhere = (id: string) => {
  localStorage.setItem('account', id);
  act(() => void window.dispatchEvent(new Event('storage')));
};

const notice = () => screen.queryByRole('alert')?.textContent;

test.each([
  ['another account', sampleMe({ id: '1' }), '2'],
  ['nobody', sampleMe({ id: '1' }), ''],
  ['an account instead of nobody', null, '2'],
])('the page reloads when another tab signs in %s', (_, me, next) => {
  open(me);
  expect(localStorage.getItem('account')).toBe(me?.id ?? '');
  signInElsewhere(me?.id ?? '');
  expect(reload).not.toHaveBeenCalled();
  signInElsewhere(next);
  expect(reload).toHaveBeenCalledOnce();
});

test('a page that the browser restores compares as well', () => {
  open();
  localStorage.setItem('account', '2');
  window.dispatchEvent(new Event('pageshow'));
  expect(reload).toHaveBeenCalledOnce();
});

test('typed text is not lost: the page says so and reloads on request', () => {
  open();
  fireEvent.input(screen.getByLabelText('text'), { target: { value: 'Is it still' } });
  signInElsewhere('2');
  expect(reload).not.toHaveBeenCalled();
  expect(notice()).toContain('What you wrote here is not sent.');
  expect(localStorage.getItem('account'), 'the page does not claim to be the newest').toBe('2');
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('nor are the changes of a form; a search is in the address', () => {
  open(sampleMe({ id: '1' }), true);
  signInElsewhere('2');
  expect([reload.mock.calls.length, notice() !== undefined]).toEqual([0, true]);
});

test('text that was sent or cleared, or a search, does not hold the page', () => {
  open();
  for (const [label, value] of [
    ['text', 'sent'],
    ['text', ''],
    ['search', 'oak'],
  ] as const)
    fireEvent.input(screen.getByLabelText(label), { target: { value } });
  signInElsewhere('2');
  expect(reload).toHaveBeenCalledOnce();
});

test('signing out in this tab tells the others and reloads nothing', async () => {
  open();
  fireEvent.click(screen.getByText('sign out'));
  await waitFor(() => expect(localStorage.getItem('account')).toBe(''));
  expect(reload).not.toHaveBeenCalled();
});

test('each request names the user of the page, except the one that asks who it is', async () => {
  const named: (string | null)[] = [];
  const answer = (json: unknown) => (request: Request) => {
    named.push(request.headers.get('X-User-Id'));
    return { json };
  };
  fakeApi({ 'GET /api/notifications': answer([]), 'GET /api/auth/me': answer(sampleMe({ id: '1' })) });
  open();
  await apiRequest(listNotifications);
  await apiRequest(getMe);
  fireEvent.click(screen.getByText('sign out'));
  await apiRequest(listNotifications);
  expect(named).toEqual(['1', null, '']);
});

test('a response for another account reloads the page', async () => {
  fakeApi({ 'GET /api/notifications': { status: 409, json: { message: '', code: 'account_changed', requestId: '' } } });
  open();
  await act(() => apiRequest(listNotifications).catch(() => {}));
  expect(reload).toHaveBeenCalledOnce();
});

test('nor is a response missed that came before the watch had loaded', async () => {
  fakeApi({ 'GET /api/notifications': { status: 409, json: { message: '', code: 'account_changed', requestId: '' } } });
  const { rerender } = render(<Late />);
  await act(() => apiRequest(listNotifications).catch(() => {}));
  rerender(<Late isLoaded />);
  expect(reload).toHaveBeenCalledOnce();
});

test('reading another user reloads the page and shows nobody in place of the first', async () => {
  fakeApi({ 'GET /api/auth/me': { json: sampleMe({ id: '2' }) } });
  open();
  window.dispatchEvent(new Event(SUSPENDED));
  await waitFor(() => expect(reload).toHaveBeenCalled());
});
