import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Announcer } from '../../lib/announcer.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe, sampleMessage, sampleUser } from '../../test/samples.ts';
import { MessagesPage } from './page.tsx';

const element = (
  <>
    <MessagesPage />
    <Announcer />
  </>
);
const buyer = (id: string) => sampleUser({ id, displayName: `Buyer ${id}` });
const from = (id: string, senderId: string) =>
  sampleMessage({ id, senderId, sender: buyer(senderId), receiverId: '1001', receiver: sampleUser() });

test('says how many conversations came, not of how many ads', async () => {
  const first = { json: { 1: [from('9', '1002')] }, headers: { Link: '</api/messages/user?cursor=c1>; rel="next"' } };
  fakeApi({
    'GET /api/messages/user': first,
    'GET /api/messages/counts': { json: [] },
    'GET /api/messages/user?cursor=c1': { json: { 1: [from('8', '1003'), from('7', '1004')] } },
  });
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Buyer 1004')).toBeDefined();
  await waitFor(() => expect(document.getElementById('announcer')?.textContent).toBe('2 more loaded'));
});

const page = (messages: ReturnType<typeof from>[], next: string) => ({
  json: { 1: messages },
  headers: { Link: `</api/messages/user?cursor=${next}>; rel="next"` },
});
const conversations = () => screen.getAllByRole('listitem').map((item) => /Buyer \d+/.exec(item.textContent)?.[0]);
const openInbox = async (answers: Parameters<typeof fakeApi>[0]) => {
  const api = fakeApi({
    'GET /api/messages/user': page([from('9', '1002'), from('8', '1003')], 'c1'),
    'GET /api/messages/counts': { json: [] },
    ...answers,
  });
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe() } });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  const poll = async (messages: ReturnType<typeof from>[]) => {
    api.answers['GET /api/messages/user'] = page(messages, 'c2');
    fireEvent(document, new Event('visibilitychange'));
    await screen.findByText(messages[0]!.sender.displayName);
  };
  return poll;
};

test('keeps each conversation that new ones push off the first page while older pages are shown', async () => {
  const poll = await openInbox({ 'GET /api/messages/user?cursor=c1': { json: { 1: [from('7', '1004')] } } });
  await screen.findByText('Buyer 1004');
  await poll([from('10', '1005'), from('9', '1002')]);
  expect(conversations()).toEqual(['Buyer 1005', 'Buyer 1002', 'Buyer 1003', 'Buyer 1004']);
  await poll([from('12', '1007'), from('11', '1006')]);
  expect(conversations()).toEqual([7, 6, 5, 2, 3, 4].map((last) => `Buyer 100${last}`));
});

test('keeps what new ones push off the first page while an older page is on its way', async () => {
  const { promise, resolve } = Promise.withResolvers<{ json: unknown }>();
  const poll = await openInbox({ 'GET /api/messages/user?cursor=c1': () => promise });
  await poll([from('10', '1005'), from('9', '1002')]);
  await act(async () => resolve({ json: { 1: [from('7', '1004')] } }));
  await screen.findByText('Buyer 1004');
  expect(conversations()).toEqual(['Buyer 1005', 'Buyer 1002', 'Buyer 1003', 'Buyer 1004']);
});
