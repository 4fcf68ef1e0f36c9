// People who keep the event stream of one replica open, and read each message as soon as an event tells of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { getConversation, streamMessages, type ThreadMessage } from '../../contract/messages.ts';
import { openEventSource } from '../harness/event-source.ts';
import type { Person } from './ledger.ts';
import { type Drill, pickUrl, send } from './requests.ts';

const SEEN = 100;

const readMessage = async (drill: Drill, url: string, me: Person, event: ThreadMessage): Promise<void> => {
  const { id, adId, senderId, receiverId } = event;
  const params = { adId, otherUserId: senderId === me.id ? receiverId : senderId };
  const options = { params, query: { limit: String(SEEN) } };
  const { outcome, body } = await send(drill, url, me, getConversation, options);
  if (outcome !== 'acknowledged' || body.length === SEEN) return;
  if (!body.some((message: { id: string }) => message.id === id))
    drill.ledger.problems.push({
      kind: 'wrong',
      what: `an event told ${me.name} of message ${id} before it could be read`,
    });
};

/** Watches the stream of one person until the drill is over. Faults end it; the person opens it again elsewhere. */
export const watchStream = async (drill: Drill, me: Person): Promise<void> => {
  const { ledger, isOver } = drill;
  while (!isOver()) {
    const url = pickUrl(drill);
    const source = await openEventSource(url + streamMessages.path, { Cookie: me.cookie }).catch(() => undefined);
    let read = 0;
    while (source?.isOpen() && !isOver()) {
      const events = source.events.slice(read);
      read += events.length;
      for (const { name, data } of events) {
        if (name !== 'message') continue;
        const event = data as ThreadMessage;
        ledger.eventIds.add(event.id);
        await readMessage(drill, url, me, event);
      }
      await sleep(10);
    }
    await source?.close();
    await sleep(100);
  }
};
