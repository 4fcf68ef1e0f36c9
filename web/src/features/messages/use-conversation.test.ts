import { expect, test } from 'vitest';
import type { Message } from '../../../../contract/messages.ts';
import { sampleMessage } from '../../test/samples.ts';
import { getPendingMessages, mergeMessages } from './use-conversation.ts';

const page = (ids: string[], next: string | null = null) => ({
  items: ids.map((id): Message => sampleMessage({ id })),
  next,
  total: null,
  totalExact: true,
});
const idsOf = ({ items }: { items: Message[] }) => items.map(({ id }) => id);

test('a poll keeps the earlier messages that were loaded, and where the rest begins', () => {
  const merged = mergeMessages(page(['8', '9', '10'], '/earlier'), page(['9', '10', '11'], '/newer'));
  expect(idsOf(merged)).toEqual(['8', '9', '10', '11']);
  expect(merged.next).toBe('/earlier');
});

test('without earlier messages the newest page stands alone', () => {
  expect(mergeMessages(page(['9']), page(['9', '10'], '/next'))).toEqual(page(['9', '10'], '/next'));
  expect(mergeMessages(undefined, page(['1']))).toEqual(page(['1']));
});

test('earlier messages come first and take over the way to what is before them', () => {
  const merged = mergeMessages(page(['3', '4'], '/b'), page(['5', '6'], '/a'));
  expect(idsOf(merged)).toEqual(['3', '4', '5', '6']);
  expect(merged.next).toBe('/b');
});

test('an older response that arrives last takes no newer message away', () => {
  const merged = mergeMessages(page(['9', '10', '11']), page(['9', '10']));
  expect(idsOf(merged)).toEqual(['9', '10', '11']);
});

test('the same page merged twice is there once', () => {
  const earlier = page(['3', '4'], '/b');
  const merged = mergeMessages(earlier, mergeMessages(earlier, page(['5'], '/a')));
  expect(idsOf(merged)).toEqual(['3', '4', '5']);
});

test('a message shows once: as sent until it is among those of the server, whichever source delivered it first', () => {
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
