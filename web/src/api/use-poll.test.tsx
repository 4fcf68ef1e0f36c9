import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePoll } from './events.ts';

const Poller = ({ refresh }: { refresh: () => Promise<unknown> }) => {
  usePoll(refresh, 1000);
  return null;
};
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const setHidden = (hidden: boolean) => {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  setHidden(false);
  vi.useRealTimers();
});

test('refreshes once per interval, not at the start', async () => {
  const refresh = vi.fn(async () => {});
  render(<Poller refresh={refresh} />);
  expect(refresh).not.toHaveBeenCalled();
  await pass(3000);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test('rests while the tab is hidden and refreshes at once when it is shown again', async () => {
  const refresh = vi.fn(async () => {});
  render(<Poller refresh={refresh} />);
  setHidden(true);
  await pass(60_000);
  expect(refresh).not.toHaveBeenCalled();
  setHidden(false);
  await pass(0);
  expect(refresh).toHaveBeenCalledTimes(1);
  await pass(1000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('slows down while it fails, and is itself again after a success', async () => {
  const refresh = vi.fn(async () => {
    throw new Error('offline');
  });
  render(<Poller refresh={refresh} />);
  await pass(1000 + 2000 + 4000);
  expect(refresh).toHaveBeenCalledTimes(3);
  refresh.mockImplementation(async () => undefined as never);
  await pass(8000);
  expect(refresh).toHaveBeenCalledTimes(4);
  await pass(1000);
  expect(refresh).toHaveBeenCalledTimes(5);
});

test('stops with its component', async () => {
  const refresh = vi.fn(async () => {});
  render(<Poller refresh={refresh} />).unmount();
  await pass(5000);
  expect(refresh).not.toHaveBeenCalled();
});
