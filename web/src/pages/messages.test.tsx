import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Message } from '../../../contract/messages.ts';
import { emitMessageEvent } from '../api/events.ts';
import { INBOX_KEY } from '../features/messages/use-inbox.ts';
import { Announcer } from '../lib/announcer.tsx';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleMe, sampleMessage, sampleUser } from '../test/samples.ts';
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

/** Serves the pages of an inbox. The counts of each conversation come from a separate endpoint. */
const serve = (...pages: Message[][]): Parameters<typeof fakeApi>[0] =>
  Object.fromEntries(
    pages.flatMap((messages, index) => {
      const query = index === 0 ? '' : `?cursor=c${index}`;
      const next = { Link: `</api/messages/user?cursor=c${index + 1}>; rel="next"` };
      const counts = messages.map(({ senderId, isRead }) => {
        const unread = isRead ? 0 : 1;
        return { adId: '1', otherUserId: senderId, messages: 25, unread };
      });
      return [
        [`GET /api/messages/user${query}`, { json: { 1: messages }, headers: index + 1 < pages.length ? next : {} }],
        [`GET /api/messages/counts${query}`, { json: counts }],
      ];
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

test('offers more only once what is shown is counted: asked for before that, it brought the first page again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answers = serve([from('9', '1002')], [from('8', '1003')]);
  const { json } = answers['GET /api/messages/counts'] as { json: unknown };
  fakeApi({ ...answers, 'GET /api/messages/counts': () => promise.then(() => ({ json })) });
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  await nextTurn();
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  await act(async () => resolve());
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  await screen.findByText('Buyer 1003');
  expect(shown()).toEqual(buyers('1002', '1003'));
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
    'GET /api/messages/user?cursor=c1': () => promise,
  });
  await waitFor(() => expect(asked).toContain('GET /api/messages/user?cursor=c1'));
  Object.assign(answers, serve([from('10', '1005'), from('9', '1002')], [from('8', '1003'), from('7', '1004')]));
  poll();
  await screen.findByText('Buyer 1005');
  expect(shown()).toEqual(buyers('1005', '1002', '1003', '1004'));
  await act(async () => resolve({ json: { 1: [from('7', '1004')] } }));
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
  answers['GET /api/messages/user'] = () => promise;
  poll();
  Object.assign(answers, pages);
  fireEvent.click(more);
  await screen.findByText('Buyer 1004');
  const headers = { Link: '</api/messages/user?cursor=c1>; rel="next"' };
  await act(async () => resolve({ json: { 1: [from('9', '1002')] }, headers }));
  expect(shown()).toEqual(buyers('1002', '1004'));
});

const routes = [
  { path: '/', element },
  { path: '/messages/:adId/:otherUserId', element: <ConversationPage /> },
];
const CONVERSATION = '/api/messages/conversation/1/1003';
const status = { canSend: true, reason: null, ad: null, other: null };

/**
 * Loads two pages of the inbox and opens an unread conversation of the second. The request that marks it read is
 * answered last.
 */
const readOnSecondPage = async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unread = from('8', '1003', false);
  const { answers, asked } = fakeApi({
    ...serve([from('9', '1002')], [unread]),
    [`GET ${CONVERSATION}`]: { json: [unread] },
    [`GET ${CONVERSATION}/status`]: { json: status },
    [`PUT ${CONVERSATION}/read`]: () => promise.then(() => ({ status: 204 })),
  });
  const { router } = renderAt({ routes, boot: { me: sampleMe() } });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  await screen.findByText('1 new');
  await act(() => router.navigate('/messages/1/1003'));
  await waitFor(() => expect(asked).toContain(`PUT ${CONVERSATION}/read`));
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
  const data = { [INBOX_KEY]: { conversations, next: null } };
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe(), data } });
  expect(shown()).toEqual(buyers('1002', '1003'));
  await screen.findByText('Buyer 1005');
  expect(shown()).toEqual(buyers('1005', '1002', '1003'));
});

test('a new message fetches the first page alone, and keeps the older conversations', async () => {
  const { answers, asked } = await openInbox(serve([from('9', '1002')], [from('8', '1003')]));
  await screen.findByText('Buyer 1003');
  asked.length = 0;
  Object.assign(answers, serve([from('10', '1005')], [from('9', '1002'), from('8', '1003')]));
  act(() => emitMessageEvent({ id: '10', adId: '1', senderId: '1005', receiverId: '1001' }));
  await screen.findByText('Buyer 1005');
  expect(shown()).toEqual(buyers('1005', '1002', '1003'));
  expect(asked.toSorted()).toEqual(['GET /api/messages/counts', 'GET /api/messages/user']);
});
