import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { expect, test, vi } from 'vitest';
import type { InboxPage } from '../../../contract/conversations.ts';
import type { Message } from '../../../contract/messages.ts';
import { emitLiveEvent } from '../api/events.ts';
import { RouteFocus } from '../app/layout/layout.tsx';
import { Announcer } from '../lib/announcer.tsx';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleConversation, sampleMe, sampleMessage, sampleUser, unreadCounts } from '../test/samples.ts';
import { ConversationPage } from './conversation.tsx';
import { MessagesPage } from './messages.tsx';

const element = (
  <>
    <MessagesPage />
    <Announcer />
  </>
);
const buyer = (id: string) => sampleUser({ id, displayName: `Buyer ${id}` });
const from = (id: string, senderId: string, isRead = true) =>
  sampleMessage({ id, senderId, sender: buyer(senderId), receiverId: '1001', receiver: sampleUser(), isRead });

const PATH = '/api/conversations';

/** A page of the inbox with the conversations of these messages. */
const inboxOf = (messages: Message[]): InboxPage => ({
  lines: messages.map((latest) => ({
    adId: '1',
    otherUserId: latest.senderId,
    latest,
    messages: 25,
    unread: latest.isRead ? 0 : 1,
  })),
  ads: messages.slice(0, 1).map(({ ad }) => ad),
  people: messages.map(({ sender }) => sender),
});

/** Serves the pages of an inbox. */
const serve = (...pages: Message[][]): Parameters<typeof fakeApi>[0] =>
  Object.fromEntries(
    pages.map((messages, index) => {
      const query = index === 0 ? '' : `?cursor=c${index}`;
      const next = { Link: `<${PATH}?cursor=c${index + 1}>; rel="next"` };
      return [`GET ${PATH}${query}`, { json: inboxOf(messages), headers: index + 1 < pages.length ? next : {} }];
    }),
  );
const shown = () => screen.getAllByRole('listitem').map((item) => /Buyer \d+/.exec(item.textContent)?.[0]);
const buyers = (...ids: string[]) => ids.map((id) => `Buyer ${id}`);
/** After this task, received responses have been processed. */
const nextTurn = () => act(() => new Promise((after) => setTimeout(after)));
const poll = () => fireEvent(document, new Event('visibilitychange'));

const openInbox = async (answers: Parameters<typeof fakeApi>[0]) => {
  const api = fakeApi(answers);
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  return api;
};

test('says how many conversations came, not of how many ads', async () => {
  await openInbox(serve([from('9', '1002')], [from('8', '1003'), from('7', '1004')]));
  expect(await screen.findByText('Buyer 1004')).toBeDefined();
  await waitFor(() => expect(document.getElementById('announcer')?.textContent).toBe('2 more loaded'));
});

test('a row of the inbox has one link, to the conversation, which covers all of it', async () => {
  fakeApi(serve([from('9', '1002')]));
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  const link = await screen.findByRole('link', { name: 'View Conversation' });
  expect(within(screen.getByRole('listitem')).getAllByRole('link')).toEqual([link]);
  expect(link.getAttribute('href')).toBe('/messages/1/1002');
  expect(link.className).toContain('stretched-link');
});

test('a wide page of messages says that a conversation is to be chosen', async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  fakeApi(serve([from('9', '1002')]));
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  expect(await screen.findByText('Choose a conversation')).toBeDefined();
  expect(document.querySelector('[data-slot=conversation]')).not.toBeNull();
});

test('keeps each conversation that new ones push off the first page while older pages are shown', async () => {
  const { answers } = await openInbox(serve([from('9', '1002'), from('8', '1003')], [from('7', '1004')]));
  await screen.findByText('Buyer 1004');
  Object.assign(answers, serve([from('10', '1005'), from('9', '1002')], [from('8', '1003'), from('7', '1004')]));
  poll();
  await screen.findByText('Buyer 1005');
  expect(shown()).toEqual(buyers('1005', '1002', '1003', '1004'));
});

test('keeps them also while an older page is on its way, and that page when its answer comes', async () => {
  const { promise, resolve } = Promise.withResolvers<{ json: unknown }>();
  const { answers, asked } = await openInbox({
    ...serve([from('9', '1002'), from('8', '1003')], [from('7', '1004')]),
    [`GET ${PATH}?cursor=c1`]: () => promise,
  });
  await waitFor(() => expect(asked).toContain(`GET ${PATH}?cursor=c1`));
  Object.assign(answers, serve([from('10', '1005'), from('9', '1002')], [from('8', '1003'), from('7', '1004')]));
  poll();
  await screen.findByText('Buyer 1005');
  expect(shown()).toEqual(buyers('1005', '1002', '1003', '1004'));
  await act(async () => resolve({ json: inboxOf([from('7', '1004')]) }));
  expect(shown()).toEqual(buyers('1005', '1002', '1003', '1004'));
});

test('fetches the older pages again too, and counts whole conversations on them', async () => {
  const { answers } = await openInbox(serve([from('9', '1002')], [from('7', '1004', false)]));
  await screen.findByText('Buyer 1004');
  await waitFor(() => expect(screen.getAllByText('25 messages')).toHaveLength(2));
  expect(screen.getByText('1 new')).toBeDefined();
  Object.assign(answers, serve([from('9', '1002')], [from('7', '1004', true)]));
  poll();
  await waitFor(() => expect(screen.queryByText('1 new')).toBeNull());
  expect(shown()).toEqual(buyers('1002', '1004'));
});

test('an answer that was asked for before, and holds fewer, takes no older page away', async () => {
  const { promise, resolve } = Promise.withResolvers<{ json: unknown; headers: Record<string, string> }>();
  const pages = serve([from('9', '1002')], [from('7', '1004')]);
  const { answers } = fakeApi({ ...pages });
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  const more = await screen.findByRole('button', { name: 'Load more' });
  answers[`GET ${PATH}`] = () => promise;
  poll();
  Object.assign(answers, pages);
  fireEvent.click(more);
  await screen.findByText('Buyer 1004');
  const headers = { Link: `<${PATH}?cursor=c1>; rel="next"` };
  await act(async () => resolve({ json: inboxOf([from('9', '1002')]), headers }));
  expect(shown()).toEqual(buyers('1002', '1004'));
});

const routes = [
  { path: '/', element },
  { path: '/messages/:adId/:otherUserId', element: <ConversationPage /> },
];
const READ = '/api/messages/conversation/1/1003/read';

/**
 * Loads two pages of the inbox and opens an unread conversation of the second. The request that marks it read is
 * answered last.
 */
const readOnSecondPage = async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unread = from('8', '1003', false);
  const { answers, asked } = fakeApi({
    ...serve([from('9', '1002')], [unread]),
    'GET /api/conversations/1/1003': { json: sampleConversation({ messages: [unread] }) },
    [`PUT ${READ}`]: () => promise.then(() => ({ status: 204 })),
  });
  const { router } = renderAt({ routes, boot: { me: sampleMe() } });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  await screen.findByText('1 new');
  await act(() => router.navigate('/messages/1/1003'));
  await waitFor(() => expect(asked).toContain(`PUT ${READ}`));
  const markRead = () => {
    Object.assign(answers, serve([from('9', '1002')], [from('8', '1003')]));
    return act(async () => resolve());
  };
  const goBack = () => act(() => router.navigate('/'));
  return { markRead, goBack };
};

test('a person who has read a conversation comes back to as many as before at once, and to what was read as that', async () => {
  const { markRead, goBack } = await readOnSecondPage();
  await markRead();
  await nextTurn();
  await goBack();
  expect(shown()).toEqual(buyers('1002', '1003'));
  await waitFor(() => expect(screen.queryByText('1 new')).toBeNull());
  expect(shown()).toEqual(buyers('1002', '1003'));
});

test('what is marked as read only after one has come back is shown so, too', async () => {
  const { markRead, goBack } = await readOnSecondPage();
  await goBack();
  expect(shown()).toEqual(buyers('1002', '1003'));
  expect(screen.getByText('1 new')).toBeDefined();
  await markRead();
  await waitFor(() => expect(screen.queryByText('1 new')).toBeNull());
  expect(shown()).toEqual(buyers('1002', '1003'));
});

test('a person who comes back sees as many as before, in their current state', async () => {
  fakeApi(serve([from('10', '1005')], [from('9', '1002'), from('8', '1003')]));
  const latest = [from('9', '1002'), from('8', '1003')];
  const conversations = latest.map((message) => {
    return { ad: message.ad, other: message.sender, latest: message, messages: 25, unread: 0 };
  });
  const data = { [PATH]: { conversations, next: null } };
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe(), data } });
  expect(shown()).toEqual(buyers('1002', '1003'));
  await screen.findByText('Buyer 1005');
  expect(shown()).toEqual(buyers('1005', '1002', '1003'));
});

test('a new message of a conversation that is not shown fetches the first page alone, and keeps the older ones', async () => {
  const { answers, asked } = await openInbox(serve([from('9', '1002')], [from('8', '1003')]));
  await screen.findByText('Buyer 1003');
  asked.length = 0;
  Object.assign(answers, serve([from('10', '1005')], [from('9', '1002'), from('8', '1003')]));
  act(() => emitLiveEvent({ type: 'message', message: from('10', '1005') }));
  await screen.findByText('Buyer 1005');
  expect(shown()).toEqual(buyers('1005', '1002', '1003'));
  expect(asked).toEqual([`GET ${PATH}`]);
});

test('a new message moves its conversation up and counts, and nothing is asked', async () => {
  const { asked } = await openInbox(serve([from('9', '1002')], [from('8', '1003')]));
  await screen.findByText('Buyer 1003');
  asked.length = 0;
  for (let twice = 0; twice < 2; twice++)
    act(() => emitLiveEvent({ type: 'message', message: { ...from('10', '1003', false), content: 'Still there?' } }));
  await screen.findByText('Still there?');
  expect(shown()).toEqual(buyers('1003', '1002'));
  expect(screen.getByText('1 new')).toBeDefined();
  expect(screen.getByText('26 messages')).toBeDefined();
  expect(asked).toEqual([]);
});

test('the tabs lead to the addresses of both pages, and keep the focus', async () => {
  fakeApi({ ...serve([from('9', '1002')]), 'GET /api/notifications': { json: [] } });
  const page = (path: string) => ({ path, element });
  const routes = [
    {
      element: (
        <>
          <Outlet />
          <RouteFocus />
        </>
      ),
      children: ['/messages', '/notifications'].map(page),
    },
  ];
  const boot = { me: sampleMe(), data: unreadCounts(3, 0) };
  const { router } = renderAt({ routes, at: '/messages', boot });
  await screen.findByText('Buyer 1002');
  const messages = screen.getByRole('tab', { name: 'Messages 3 unread', selected: true });
  act(() => messages.focus());
  fireEvent.keyDown(messages, { key: 'ArrowRight' });
  await screen.findByRole('heading', { name: 'No notifications yet' });
  expect(router.state.location.pathname).toBe('/notifications');
  expect(screen.getByRole('tab', { name: 'Notifications', selected: true })).toBe(document.activeElement);
});

test.each([
  ['/messages', 'Login with X (Twitter)'],
  ['/notifications', 'Sign In'],
])('%s asks a visitor to sign in', async (path, name) => {
  fakeApi({});
  renderAt({ routes: [{ path, element }], at: path });
  expect(await screen.findByText(name)).toBeDefined();
});

test('a stream that has caught up makes nothing be asked again; a gap does', async () => {
  const { asked } = fakeApi(serve([from('9', '1002')]));
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe(), data: unreadCounts(0, 0) } });
  await screen.findByText('Buyer 1002');
  act(() => emitLiveEvent({ type: 'resumed', since: Date.now() - 60_000 }));
  await nextTurn();
  expect(asked).toEqual([`GET ${PATH}`]);
  act(() => emitLiveEvent({ type: 'resumed', since: Date.now() + 1 }));
  await waitFor(() => expect(asked).toHaveLength(2));
});
