import { expect, test } from 'vitest';
import type { ThreadMessage } from '../../../../contract/messages.ts';
import { sampleConversation, sampleMessage } from '../../test/samples.ts';
import { addMessage, type LoadedConversation, mergeConversation } from './loaded-conversation.ts';
import { getPendingMessages } from './use-conversation.ts';

const page = (ids: string[], next: string | null = null) => ({
  items: sampleConversation({ messages: ids.map((id) => sampleMessage({ id })) }),
  next,
  total: null,
  totalExact: true,
});
const idsOf = ({ items }: LoadedConversation) => items.messages.map(({ id }) => id);

test('a poll keeps the earlier messages that were loaded, and where the rest begins', () => {
  const merged = mergeConversation(page(['8', '9', '10'], '/earlier'), page(['9', '10', '11'], '/newer'));
  expect(idsOf(merged)).toEqual(['8', '9', '10', '11']);
  expect(merged.next).toBe('/earlier');
});

test('without earlier messages the newest page stands alone', () => {
  expect(mergeConversation(page(['9']), page(['9', '10'], '/next'))).toEqual(page(['9', '10'], '/next'));
  expect(mergeConversation(undefined, page(['1']))).toEqual(page(['1']));
});

test('earlier messages come first and take over the way to what is before them', () => {
  const merged = mergeConversation(page(['3', '4'], '/b'), page(['5', '6'], '/a'));
  expect(idsOf(merged)).toEqual(['3', '4', '5', '6']);
  expect(merged.next).toBe('/b');
});

test('an older response that arrives last takes no newer message away', () => {
  const merged = mergeConversation(page(['9', '10', '11']), page(['9', '10']));
  expect(idsOf(merged)).toEqual(['9', '10', '11']);
});

test('the same page merged twice is there once', () => {
  const earlier = page(['3', '4'], '/b');
  const merged = mergeConversation(earlier, mergeConversation(earlier, page(['5'], '/a')));
  expect(idsOf(merged)).toEqual(['3', '4', '5']);
});

test('a message that is shown as it is changes nothing; a new one and an offer that changed do', () => {
  const loaded = page(['9', '11']);
  expect(addMessage(loaded, sampleMessage({ id: '11' }))).toBe(loaded);
  expect(idsOf(addMessage(loaded, sampleMessage({ id: '10' })))).toEqual(['9', '10', '11']);
  const offer = { id: '1', amount: '5.00', status: 'declined', expiresAt: '2026-01-05T10:00:00.000Z' } as const;
  expect(addMessage(loaded, sampleMessage({ id: '9', offer })).items.messages[0]).toMatchObject({ offer });
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

test('photos without a text show once too, whatever the server says in their place', () => {
  const me = '1001';
  const sent = { content: '', imageIds: ['1', '2'], after: '9' };
  const photos = ['1', '2'].map((id) => ({ id, width: 4, height: 3 }));
  const own = (fields: Partial<ThreadMessage>) => sampleMessage({ id: '10', senderId: me, ...fields });
  const arrived = own({ content: 'Sent 2 photos', photos, isWordless: true });
  expect(getPendingMessages([sent], [arrived], me)).toEqual([]);
  expect(getPendingMessages([sent], [own({ content: 'Sent 2 photos' })], me), 'typed').toEqual([sent]);
});
