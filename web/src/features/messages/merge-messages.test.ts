import { expect, test } from 'vitest';
import type { Message } from '../../../../contract/messages.ts';
import { sampleMessage } from '../../test/samples.ts';
import { getPendingMessages, mergeEarlier, mergeNewest, received } from './use-conversation.ts';

const page = (ids: string[], next: string | null = null) => ({
  items: ids.map((id): Message => sampleMessage({ id })),
  next,
  total: null,
  totalExact: true,
});
const idsOf = ({ items }: { items: Message[] }) => items.map(({ id }) => id);

test('a poll keeps the earlier messages that were loaded, and where the rest begins', () => {
  const merged = mergeNewest(page(['8', '9', '10'], '/earlier'), page(['9', '10', '11'], '/newer'));
  expect(idsOf(merged)).toEqual(['8', '9', '10', '11']);
  expect(merged.next).toBe('/earlier');
});

test('without earlier messages the newest page stands alone', () => {
  expect(mergeNewest(page(['9']), page(['9', '10'], '/next'))).toEqual(page(['9', '10'], '/next'));
  expect(mergeNewest(undefined, page(['1']))).toEqual(page(['1']));
});

test('earlier messages come first and take over the way to what is before them', () => {
  const merged = mergeEarlier(page(['5', '6'], '/a'), page(['3', '4'], '/b'));
  expect(idsOf(merged)).toEqual(['3', '4', '5', '6']);
  expect(merged.next).toBe('/b');
});

test('only messages of the other person are news, and the first load is none', () => {
  const after = {
    ...page([]),
    items: [sampleMessage({ id: '1' }), sampleMessage({ id: '2' }), sampleMessage({ id: '3', receiverId: '1001' })],
  };
  expect(received(page(['1']), after, '1002').map(({ id }) => id)).toEqual(['2']);
  expect(received(undefined, after, '1002')).toEqual([]);
});

test('a message shows once: as sent until it is among those of the server, whoever told of it first', () => {
  const me = '1001';
  const own = (id: string, content: string) => sampleMessage({ id, senderId: me, content });
  const sent = { content: 'Is it still there?', after: '9' };
  expect(getPendingMessages([sent], [own('9', 'Hello')], me)).toEqual([sent]);
  expect(getPendingMessages([sent], [own('9', 'Hello'), own('10', sent.content)], me)).toEqual([]);
  expect(getPendingMessages([sent], [own('8', sent.content)], me), 'said before').toEqual([sent]);
  expect(
    getPendingMessages([sent], [sampleMessage({ id: '10', senderId: '1002', content: sent.content })], me),
  ).toEqual([sent]);
});
