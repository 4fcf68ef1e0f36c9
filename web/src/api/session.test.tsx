import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getMyStats } from '../../../contract/users.ts';
import { draftKey } from '../lib/draft.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleMe } from '../test/samples.ts';
import { apiRequest } from './client.ts';
import { useReplaceSession, useSession } from './session.ts';

const SignOut = () => {
  const replaceSession = useReplaceSession();
  return (
    <button type="button" onClick={() => void replaceSession(null)}>
      Logout
    </button>
  );
};

test('what one person has written and not sent is not there for the next', async () => {
  const [ad, message] = [draftKey('7', 'ad'), draftKey('7', '1:2')];
  writeStored('sessionStorage', ad, '{"title":"Half an ad"}');
  writeStored('sessionStorage', message, 'Half a message');
  writeStored('sessionStorage', 'reloaded', '1');
  render(<SignOut />);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(readStored('sessionStorage', ad)).toBeNull());
  expect(readStored('sessionStorage', message)).toBeNull();
  expect(readStored('sessionStorage', 'reloaded')).toBe('1');
});

const Who = () => {
  const { user } = useSession();
  return <output>{user === undefined ? 'unknown' : (user?.displayName ?? 'nobody')}</output>;
};

test('a server that fails does not sign the user out: who is signed in is unknown until it responds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const api = fakeApi({ 'GET /api/auth/me': { status: 503 } });
  renderAt({ routes: [{ path: '/', element: <Who /> }], boot: { me: undefined } });
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByRole('status').textContent).toBe('unknown');
  api.answers['GET /api/auth/me'] = { json: sampleMe({ displayName: 'Maya' }) };
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(screen.getByRole('status').textContent).toBe('Maya');
  vi.useRealTimers();
});

test('a response that the account is suspended reads until when', async () => {
  const suspendedUntil = '2099-01-06T10:00:00.000Z';
  const { asked } = fakeApi({
    'GET /api/auth/me': { json: sampleMe({ displayName: 'Maya (suspended)', suspendedUntil }) },
    'GET /api/users/me/stats': { status: 403, json: { message: 'Suspended', code: 'account_suspended' } },
  });
  renderAt({ routes: [{ path: '/', element: <Who /> }], boot: { me: sampleMe({ displayName: 'Maya' }) } });
  await act(() => apiRequest(getMyStats).catch(() => {}));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Maya (suspended)'));
  expect(asked).toEqual(['GET /api/users/me/stats', 'GET /api/auth/me']);
});
