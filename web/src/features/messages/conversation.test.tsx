import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe, sampleMessage } from '../../test/samples.ts';
import { Conversation } from './conversation.tsx';

const path = '/api/messages/conversation/7/9';
const OPEN = { canSend: true, reason: null };
const CLOSED = { canSend: false, reason: 'This ad has been deleted.' };
const data = { [path]: { items: [], next: null, total: 0, totalExact: true }, [`${path}/status`]: OPEN };
const thread = (status: typeof OPEN | typeof CLOSED = OPEN) => ({
  [`GET ${path}`]: { json: [sampleMessage()] },
  [`GET ${path}/status`]: { json: status },
});
const openAs = (id: string) => {
  const me = sampleMe({ id });
  const element = <Conversation adId="7" otherUserId="9" user={me} everyMs={60_000} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me, data } });
  return screen.getByLabelText<HTMLTextAreaElement>('Message');
};

test('half a message survives a reload, but is not there for whoever signs in next', () => {
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
  const seen = { items: [sampleMessage()], next: '/earlier', total: 2, totalExact: true };
  renderAt({ routes: [{ path: '/', element }], boot: { me, data: { ...data, [path]: seen } } });
  fireEvent.click(screen.getByRole('button', { name: 'Earlier messages' }));
  expect(await screen.findByText('Failed to fetch messages')).toBeDefined();
});

test('whoever comes back to a conversation is told what has become of it', async () => {
  fakeApi(thread(CLOSED));
  openAs('1');
  expect(await screen.findByText(CLOSED.reason)).toBeDefined();
  expect(screen.queryByLabelText('Message')).toBeNull();
});

test('what becomes of a conversation meanwhile is seen when its tab is shown again', async () => {
  const { answers } = fakeApi(thread());
  openAs('1');
  expect(await screen.findByText('Hello')).toBeDefined();
  Object.assign(answers, thread(CLOSED));
  fireEvent(document, new Event('visibilitychange'));
  expect(await screen.findByText(CLOSED.reason)).toBeDefined();
});
