import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Message } from '../../../../contract/messages.ts';
import { emitLiveEvent } from '../../api/events.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleConversation, sampleDeal, sampleMe, sampleMessage } from '../../test/samples.ts';
import { Conversation } from './conversation.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import { DealBar } from './deal-bar.tsx';

type View = ReturnType<typeof sampleConversation>;

const path = '/api/conversations/7/9';
const readPath = '/api/messages/conversation/7/9/read';
const OPEN: Partial<View> = { actions: ['send'], reason: null };
const CLOSED = { actions: [], reason: 'ad_deleted' } satisfies Partial<View>;
const sally = sampleMessage().sender;
const view = (messages: Message[], fields: Partial<View> = {}) =>
  sampleConversation({ messages, other: sally, ...fields });
const paged = (messages: Message[], next: string | null = null) => ({
  items: view(messages),
  next,
  total: null,
  totalExact: true,
});
const data = { [path]: paged([]) };
const thread = (state: Partial<View> = OPEN) => ({ [`GET ${path}`]: { json: view([sampleMessage()], state) } });
const openAs = (id: string) => {
  const me = sampleMe({ id });
  const element = <Conversation adId="7" otherUserId="9" user={me} everyMs={60_000} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me, data } });
  return screen.getByLabelText<HTMLTextAreaElement>('Message');
};

test('half a message survives a reload, but is not there for the person who signs in next', () => {
  fakeApi(thread());
  fireEvent.change(openAs('1'), { target: { value: 'Is it still' } });
  cleanup();
  expect(openAs('1').value).toBe('Is it still');
  cleanup();
  expect(openAs('2').value).toBe('');
});

test('says when earlier messages cannot be had, and offers them again', async () => {
  fakeApi({ ...thread(), 'GET /earlier': { status: 503 } });
  const me = sampleMe();
  const element = <Conversation adId="7" otherUserId="9" user={me} everyMs={60_000} />;
  const seen = paged([sampleMessage()], '/earlier');
  renderAt({ routes: [{ path: '/', element }], boot: { me, data: { ...data, [path]: seen } } });
  fireEvent.click(screen.getByRole('button', { name: 'Earlier messages' }));
  expect(await screen.findByText('Failed to fetch messages')).toBeDefined();
});

test('a person who comes back to a conversation sees its current state', async () => {
  fakeApi(thread(CLOSED));
  openAs('1');
  expect(await screen.findByText('This ad has been deleted.')).toBeDefined();
  expect(screen.queryByLabelText('Message')).toBeNull();
});

test('what becomes of a conversation meanwhile is seen when its tab is shown again', async () => {
  const { answers } = fakeApi(thread());
  openAs('1');
  expect(await screen.findByText('Hello')).toBeDefined();
  Object.assign(answers, thread(CLOSED));
  fireEvent(document, new Event('visibilitychange'));
  expect(await screen.findByText('This ad has been deleted.')).toBeDefined();
});

test('ages that change, and days that pass, are not announced as news', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date(2026, 10, 25, 23, 58) });
  const createdAt = new Date().toISOString();
  fakeApi({ [`GET ${path}`]: { json: view([sampleMessage({ createdAt })]) } });
  openAs('1');
  await screen.findByText('just now');
  expect(screen.getByText('Today')).toBeDefined();
  // Without "text": a screen reader reads what is added to the log, not what changes in it.
  expect(screen.getByRole('log').getAttribute('aria-relevant')).toBe('additions');
  const kept = screen.getByText('just now');
  act(() => vi.advanceTimersByTime(150_000));
  expect(kept.textContent).toBe('2 minutes ago');
  expect(screen.getByText('Yesterday')).toBeDefined();
  vi.useRealTimers();
});

test('the reason against a first message is shown', async () => {
  fakeApi({ [`GET ${path}`]: { json: view([], { actions: [], reason: 'no_messages', other: null }) } });
  const element = <Conversation adId="7" otherUserId="9" user={sampleMe()} everyMs={60_000} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  expect(await screen.findByText('Contact information not available')).toBeDefined();
  expect(screen.getByText('No messages found')).toBeDefined();
});

test.each([
  ['does not exist', { status: 404, json: { error: 'not_found', message: 'Not found.' } }],
  ['has no ad and no messages', { json: view([], { actions: [], ad: null, other: null }) }],
])('a conversation that %s leads back to the others', async (_, reply) => {
  fakeApi({ [`GET ${path}`]: reply });
  const element = <Conversation adId="7" otherUserId="9" user={sampleMe()} everyMs={60_000} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  const link = await screen.findByRole('link', { name: 'Back to messages' });
  expect(link.getAttribute('href')).toBe('/messages');
});

const ME = '1';
const other = (id: string, fields = {}) => sampleMessage({ id, adId: '7', senderId: '9', receiverId: ME, ...fields });
const own = (id: string, content: string) => sampleMessage({ id, adId: '7', content, senderId: ME, receiverId: '9' });
const tell = (message: Message) => act(() => emitLiveEvent({ type: 'message', message }));
const resume = (since: number) => act(() => emitLiveEvent({ type: 'resumed', since }));
const link = (next: string) => ({ Link: `<${next}>; rel="next"` });
const contents = () => screen.queryAllByText(/^text /).map((element) => element.textContent);
const send = (text: string) => {
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: 'Send Message' }));
};
const open = (seen: unknown = data[path]) => {
  const me = sampleMe({ id: ME });
  const element = <Conversation adId="7" otherUserId="9" user={me} everyMs={60_000} />;
  return renderAt({ routes: [{ path: '/', element }], boot: { me, data: { ...data, [path]: seen } } });
};
const setHidden = (hidden: boolean) => {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  return act(async () => void document.dispatchEvent(new Event('visibilitychange')));
};
afterEach(() => setHidden(false));

test('a sent message stays when the messages cannot be fetched after it', async () => {
  const api = fakeApi({
    ...thread(),
    [`GET ${path}`]: { json: view([]) },
    'POST /api/messages': { status: 201, json: own('5', 'text one') },
  });
  open();
  await waitFor(() => expect(api.asked).toContain(`GET ${path}`));
  api.answers[`GET ${path}`] = { status: 503 };
  send('text one');
  await waitFor(() => expect(screen.queryByText('Sending…')).toBeNull());
  expect(contents()).toEqual(['text one']);
});

test('a message that fails after its dialog was closed is there when it is opened again, and can be sent again', async () => {
  const { promise, resolve } = Promise.withResolvers<{ status: number }>();
  const keys: (string | null)[] = [];
  const api = fakeApi({
    ...thread(),
    [`GET ${path}`]: { json: view([]) },
    'POST /api/messages': ({ headers }) => {
      keys.push(headers.get('Idempotency-Key'));
      return promise;
    },
  });
  open();
  send('text one');
  await waitFor(() => expect(api.asked).toContain('POST /api/messages'));
  cleanup();
  await act(async () => resolve({ status: 503 }));
  open();
  expect(await screen.findByText('Not sent')).toBeDefined();
  expect(contents()).toEqual(['text one']);
  api.answers['POST /api/messages'] = ({ headers }) => {
    keys.push(headers.get('Idempotency-Key'));
    return { status: 201, json: own('5', 'text one') };
  };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('Sending…')).toBeNull());
  expect(contents()).toEqual(['text one']);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('a message that a reload interrupted is sent again with its key', async () => {
  const pending = [{ key: 'k1', content: 'text one', after: '0', failed: false }];
  sessionStorage.setItem('draft:1:outbox:7:9', JSON.stringify(pending));
  const keys: (string | null)[] = [];
  fakeApi({
    ...thread(),
    [`GET ${path}`]: { json: view([]) },
    'POST /api/messages': ({ headers }) => {
      keys.push(headers.get('Idempotency-Key'));
      return { status: 201, json: own('5', 'text one') };
    },
  });
  open();
  await waitFor(() => expect(screen.queryByText('Sending…')).toBeNull());
  expect(contents()).toEqual(['text one']);
  expect(keys).toEqual(['k1']);
});

test('a response that arrives after a newer one takes no message away', async () => {
  const first = Promise.withResolvers<void>();
  const api = fakeApi({ [`GET ${path}`]: { json: view([other('1', { content: 'text 1' })]) } });
  open();
  await screen.findByText('text 1');
  const older = [other('1', { content: 'text 1' }), other('2', { content: 'text 2' })];
  api.answers[`GET ${path}`] = () => first.promise.then(() => ({ json: view(older) }));
  resume(Date.now());
  tell(other('3', { content: 'text 3' }));
  await screen.findByText('text 3');
  await act(async () => first.resolve());
  expect(contents()).toEqual(['text 1', 'text 2', 'text 3']);
});

test('a message that an event brings is shown, and nothing is asked', async () => {
  const api = fakeApi(thread());
  open();
  await screen.findByText('Hello');
  api.asked.length = 0;
  tell(other('3', { content: 'text 3' }));
  tell(other('3', { content: 'text 3' }));
  tell(other('4', { content: 'text 4', adId: '8' }));
  await screen.findByText('text 3');
  expect(contents()).toEqual(['text 3']);
  expect(api.asked).toEqual([]);
});

test('the first message of a conversation reads again what one may do', async () => {
  const api = fakeApi({ [`GET ${path}`]: { json: view([]) } });
  open();
  await waitFor(() => expect(api.asked).toHaveLength(1));
  api.answers[`GET ${path}`] = { json: view([other('3', { content: 'text 3' })], { actions: ['send', 'offer'] }) };
  tell(other('3', { content: 'text 3' }));
  expect(await screen.findByRole('button', { name: 'Make an Offer' })).toBeDefined();
  expect(api.asked).toHaveLength(2);
});

test('a stream that has caught up with what was read makes nothing be read again; a later gap does', async () => {
  const api = fakeApi(thread());
  open();
  await screen.findByText('Hello');
  resume(Date.now() - 60_000);
  await act(() => new Promise((after) => setTimeout(after, 20)));
  expect(api.asked).toEqual([`GET ${path}`]);
  resume(Date.now() + 1);
  await waitFor(() => expect(api.asked).toHaveLength(2));
});

test('“Earlier messages” pressed twice loads one page, which screen readers do not read out', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const newest = [other('5', { content: 'text 5' })];
  const api = fakeApi({
    ...thread(),
    [`GET ${path}`]: { json: view(newest), headers: link('/earlier') },
    'GET /earlier': () => promise.then(() => ({ json: view([other('3', { content: 'text 3' })]) })),
  });
  open(paged(newest, '/earlier'));
  const button = screen.getByRole('button', { name: 'Earlier messages' });
  expect(screen.getByRole('log').ariaLive ?? screen.getByRole('log').getAttribute('aria-live')).toBe('polite');
  fireEvent.click(button);
  fireEvent.click(button);
  await act(async () => resolve());
  await screen.findByText('text 3');
  expect(contents()).toEqual(['text 3', 'text 5']);
  expect(screen.getByRole('log').getAttribute('aria-live')).toBe('off');
  expect(api.asked.filter((name) => name === 'GET /earlier')).toHaveLength(1);
});

test('a conversation opened in a background tab is read when the tab is shown', async () => {
  await setHidden(true);
  const unread = [other('5', { content: 'text 5', isRead: false })];
  const api = fakeApi({
    ...thread(),
    [`GET ${path}`]: { json: view(unread) },
    [`PUT ${readPath}`]: { status: 204 },
  });
  open(paged(unread));
  await act(() => new Promise((after) => setTimeout(after, 20)));
  expect(api.asked).not.toContain(`PUT ${readPath}`);
  await setHidden(false);
  await waitFor(() => expect(api.asked).toContain(`PUT ${readPath}`));
});

test('more missed messages than a page holds leave no gap', async () => {
  const api = fakeApi({ ...thread(), [`GET ${path}`]: { json: view([other('1', { content: 'text 1' })]) } });
  open();
  await screen.findByText('text 1');
  Object.assign(api.answers, {
    [`GET ${path}`]: { json: view([other('5', { content: 'text 5' })]), headers: link('/p2') },
    'GET /p2': { json: view([other('3', { content: 'text 3' })]), headers: link('/p3') },
    'GET /p3': { json: view([other('1', { content: 'text 1' })]) },
  });
  resume(Date.now() + 1);
  await screen.findByText('text 5');
  expect(contents()).toEqual(['text 1', 'text 3', 'text 5']);
});

test('“just now” changes while a conversation is open', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const recent = [other('5', { content: 'text 5', createdAt: new Date().toISOString() })];
  fakeApi({ ...thread(), [`GET ${path}`]: { json: view(recent) } });
  open(paged(recent));
  expect(screen.getByText('just now')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000 + 1000));
  expect(screen.getByText('5 minutes ago')).toBeDefined();
  vi.useRealTimers();
});

test('a toast says that the other person has written; not for the first load, nor for one’s own messages', async () => {
  fakeApi({ [`GET ${path}`]: { json: view([other('1', { content: 'text 1' })]) } });
  open();
  await screen.findByText('text 1');
  tell(own('2', 'text 2'));
  await screen.findByText('text 2');
  await act(() => new Promise((after) => setTimeout(after, 50)));
  expect(screen.queryByText('New message received')).toBeNull();
  tell(other('3', { content: 'text 3' }));
  expect(await screen.findByText('New message received')).toBeDefined();
});

test('the menu of a received message reports it; own messages have none', async () => {
  const bodies: unknown[] = [];
  const messages = [other('1', { content: 'text 1' }), own('2', 'text 2')];
  fakeApi({
    ...thread(),
    [`GET ${path}`]: { json: view(messages) },
    'POST /api/reports': async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: { id: '1', status: 'open' } };
    },
  });
  open(paged(messages));
  fireEvent.click(screen.getByRole('button', { name: /^Actions for the message/ }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Report' }));
  fireEvent.click(await screen.findByLabelText('Harassment'));
  fireEvent.click(screen.getByRole('button', { name: 'Send Report' }));
  expect(await screen.findByText('Thank you. We will look into it.')).toBeDefined();
  expect(bodies).toEqual([{ targetType: 'message', targetId: '1', reason: 'harassment' }]);
});

test.each([
  ['free', '0.00', 'Free'],
  ['negotiable', '120.00', '$120 or best offer'],
  ['wanted', '120.00', 'Wanted for $120'],
] as const)('the header of the conversation about a %s ad says what its price means', (priceType, price, text) => {
  fakeApi({});
  const me = sampleMe();
  const ad = { ...sampleMessage().ad, price, priceType };
  const element = <ConversationHeader ad={ad} other={null} isBlocked={false} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me } });
  expect(screen.getByText((_, element) => element?.tagName === 'SPAN' && element.textContent === text)).toBeDefined();
});

test.each([
  [{ role: 'buyer', canRate: true }, 'Bought from', 'Rate Sally Seller'],
  [{ role: 'seller', canRate: false }, 'Sold to', 'Ratings'],
] as const)(
  'the bar above the composer names the sale between the two, and leads to its ratings: %o',
  (fields, text, link) => {
    fakeApi({});
    const deal = sampleDeal(fields);
    const element = <DealBar conversation={view([], { ad: deal.ad, deal, actions: [] })} />;
    renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
    expect(screen.getByText(text, { exact: false }).textContent).toBe(`${text} Sally Seller`);
    expect(screen.getByRole('link', { name: link }).getAttribute('href')).toBe('/dashboard#deal-30-ratings');
  },
);

test('successive messages of one person within five minutes are one group: each says who and when, the first to the eye', async () => {
  const at = (minute: number) => `2026-01-05T10:0${minute}:00.000Z`;
  const messages = [
    other('1', { content: 'text 1', createdAt: at(0) }),
    other('2', { content: 'text 2', createdAt: at(4) }),
    { ...own('3', 'text 3'), createdAt: at(4) },
    other('4', { content: 'text 4', createdAt: at(5) }),
    other('5', { content: 'text 5', createdAt: '2026-01-05T10:10:00.000Z' }),
  ];
  fakeApi({ [`GET ${path}`]: { json: view(messages) } });
  open();
  await screen.findByText('text 5');
  const items = contents().map((text) => screen.getByText(text!).closest('li')!);
  const labels = items.map((item) => item.querySelector('bdi')!);
  expect(labels.map(({ textContent }) => textContent)).toEqual([
    'Sally Seller',
    'Sally Seller',
    'You',
    'Sally Seller',
    'Sally Seller',
  ]);
  expect(items.map((item) => item.querySelectorAll('time').length)).toEqual([1, 1, 1, 1, 1]);
  expect(labels.map(({ classList }) => classList.contains('sr-only'))).toEqual([false, true, false, false, false]);
});

test('“Read” is under the last own message that the other person has read, and moves when they read more', async () => {
  const read = (id: string, isRead = false) => ({ ...own(id, `text ${id}`), isRead });
  const messages = [read('1', true), read('2'), read('3'), read('4')];
  fakeApi({ [`GET ${path}`]: { json: view(messages) } });
  open();
  await screen.findByText('text 4');
  const readAt = () => screen.getAllByText('Read').map((mark) => /text \d/.exec(mark.closest('li')!.textContent!)![0]);
  expect(readAt()).toEqual(['text 1']);
  tell(read('3', true));
  await waitFor(() => expect(readAt()).toEqual(['text 3']));
});
