import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, getErrorMessage } from '../../api/client.ts';
import { OfflineBar } from './offline-bar.tsx';

const goOffline = (isOffline: boolean) =>
  act(() => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(!isOffline);
    window.dispatchEvent(new Event(isOffline ? 'offline' : 'online'));
  });

afterEach(() => void vi.restoreAllMocks());

test('the bar is there as long as the browser is offline', () => {
  render(<OfflineBar />);
  expect(screen.queryByRole('status')).toBeNull();
  goOffline(true);
  expect(screen.getByRole('status').textContent).toBe('You are offline. What you see may be old.');
  goOffline(false);
  expect(screen.queryByRole('status')).toBeNull();
});

test('an action that fails says that there is no network, unless the server answered', () => {
  const failed = new TypeError('Failed to fetch');
  expect(getErrorMessage(failed, 'It failed.')).toBe('It failed.');
  goOffline(true);
  expect(getErrorMessage(failed, 'It failed.')).toBe('You are offline. Please try again when you are connected.');
  const answered = new ApiError(409, 'Conflict', '{"message":"It is sold."}');
  expect(getErrorMessage(answered, 'It failed.')).toBe('It is sold.');
});
