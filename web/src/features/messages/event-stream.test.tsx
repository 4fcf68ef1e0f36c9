import { act, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LiveEvent, useLiveEvents, useLivePoll } from '../../api/events.ts';
import { Providers } from '../../app/app.tsx';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { sampleMe, sampleMessage } from '../../test/samples.ts';
import { useUnread } from '../unread/unread.tsx';
import { EventStream } from './event-stream.tsx';

class FakeEventSource extends EventTarget {
  static opened: FakeEventSource[] = [];
  isOpen = true;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.opened.push(this);
  }
  close() {
    this.isOpen = false;
  }
  tell(name: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
}
const newest = () => FakeEventSource.opened.at(-1) as FakeEventSource;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const tell = (name: string, data: unknown) => act(async () => newest().tell(name, data));
const fail = () => act(async () => void newest().dispatchEvent(new Event('error')));
const setHidden = (hidden: boolean) => {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  return act(async () => void document.dispatchEvent(new Event('visibilitychange')));
};
const NEWS = { id: '7', adId: '1', senderId: '2', receiverId: '1001' };

beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.opened = [];
  vi.stubGlobal('EventSource', FakeEventSource);
});
afterEach(async () => {
  await setHidden(false);
  vi.useRealTimers();
});

const refresh = vi.fn(async () => {});
const hear = vi.fn<(event: LiveEvent) => void>();
const Watcher = () => {
  useLivePoll(refresh, 5000);
  useLiveEvents(hear);
  return null;
};
const watch = () => {
  refresh.mockClear();
  hear.mockClear();
  return render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <EventStream userId="1001" />
      <Watcher />
    </SWRConfig>,
  );
};

test('a stream that is healthy ends polls; one that breaks brings them back', async () => {
  watch();
  await pass(10_000);
  expect(refresh, 'opened but not live').toHaveBeenCalledTimes(2);
  await tell('live', { isLive: true });
  for (let beats = 0; beats < 60; beats++) {
    await pass(10_000);
    await tell('beat', {});
  }
  expect(refresh).toHaveBeenCalledTimes(2);
  await fail();
  await pass(5000);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test('says since when events may have been missed, each time the stream is live again', async () => {
  watch();
  await tell('live', { isLive: true, caughtUpMs: 3000 });
  expect(hear.mock.calls).toEqual([[{ type: 'resumed', since: Date.now() - 3000 }]]);
  await tell('live', { isLive: false });
  await tell('live', { isLive: true });
  expect(hear.mock.lastCall).toEqual([{ type: 'resumed', since: Date.now() }]);
});

test('a server without events of its own makes the stream count as broken', async () => {
  watch();
  await tell('live', { isLive: true });
  await tell('live', { isLive: false });
  await pass(5000);
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('events reach the page: a message, and what a message is not', async () => {
  watch();
  await tell('live', { isLive: true });
  hear.mockClear();
  const message = sampleMessage(NEWS);
  await tell('message', message);
  await tell('conversation', { adId: '1', otherUserId: '2' });
  await tell('message', NEWS);
  expect(hear.mock.calls.flat()).toEqual([
    { type: 'message', message },
    { type: 'conversation', adId: '1', otherUserId: '2' },
    // a server of the release before sends no text
    { type: 'conversation', adId: '1', otherUserId: '2' },
  ]);
});

test('comes back after a failure, later each time, and after silence', async () => {
  watch();
  await tell('live', { isLive: true });
  await pass(51_000);
  expect(FakeEventSource.opened[0]?.isOpen, 'silent for too long').toBe(false);
  await pass(1500);
  expect(FakeEventSource.opened).toHaveLength(2);
  await fail();
  await pass(999);
  expect(FakeEventSource.opened).toHaveLength(2);
  await pass(2001);
  expect(FakeEventSource.opened).toHaveLength(3);
  for (let failures = 0; failures < 12; failures++) {
    await fail();
    await pass(90_000);
  }
  expect(FakeEventSource.opened.length, 'never gives up').toBeGreaterThan(14);
});

test('is closed while the tab is hidden, and with its component', async () => {
  const { unmount } = watch();
  await setHidden(true);
  expect(newest().isOpen).toBe(false);
  await pass(600_000);
  expect(FakeEventSource.opened).toHaveLength(1);
  await setHidden(false);
  expect(FakeEventSource.opened).toHaveLength(2);
  unmount();
  expect(newest().isOpen).toBe(false);
});

const Count = () => <output>{useUnread().messages}</output>;

test('the unread count is what the stream says, without asking', async () => {
  const api = fakeApi({ 'GET /api/messages/unread-count': { json: { unreadCount: 1 } } });
  render(
    <Providers initialState={{ env: DEFAULT_SITE_CONFIG, me: sampleMe(), data: {} }}>
      <EventStream userId="1001" />
      <Count />
    </Providers>,
  );
  await pass(0);
  expect(screen.getByRole('status').textContent).toBe('1');
  const before = api.asked.length;
  await tell('live', { isLive: true });
  await tell('unread', { unreadCount: 5 });
  await pass(0);
  expect(screen.getByRole('status').textContent).toBe('5');
  await pass(40_000);
  expect(api.asked).toHaveLength(before);
});
