import type { EventsOf } from '../../../contract/endpoint.ts';
import type { streamMessages } from '../../../contract/messages.ts';
import type { EventPayloads, Events } from '../../db/events.ts';
import type { Db } from '../../db/pools.ts';
import { countUnreadByUser } from './repository.ts';

type StreamEvents = EventsOf<typeof streamMessages>;
type Hear = <Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]) => void;

export interface MessageBroker {
  /** Tells a person's own news until the returned function is called. */
  subscribe(userId: string, hear: Hear): () => void;
}

const RETRY_MS = 1000;

/** Hands what NOTIFY says of messages to whoever of this process listens for that person, and to nobody else. */
export function createMessageBroker(db: Db, events: Events): MessageBroker {
  const hearing = new Map<string, Set<Hear>>();
  const uncounted = new Set<string>();
  let isListening = false;
  let isCounting = false;

  const tell: <Name extends keyof StreamEvents>(userId: string, name: Name, data: StreamEvents[Name]) => void = (
    userId,
    ...event
  ) => {
    for (const hear of hearing.get(userId) ?? []) hear(...event);
  };

  function tellAllLive(isLive: boolean): void {
    for (const userId of hearing.keys()) {
      tell(userId, 'live', { isLive });
      if (isLive) uncounted.add(userId);
    }
    void countSoon();
  }

  /** One query counts for everybody who waits, however many messages come at once. */
  async function countSoon(): Promise<void> {
    if (isCounting || uncounted.size === 0) return;
    isCounting = true;
    const userIds = [...uncounted].filter((userId) => hearing.has(userId));
    uncounted.clear();
    try {
      for (const [userId, unreadCount] of await countUnreadByUser(db, userIds)) tell(userId, 'unread', { unreadCount });
      isCounting = false;
      void countSoon();
    } catch {
      for (const userId of userIds) uncounted.add(userId);
      setTimeout(() => {
        isCounting = false;
        void countSoon();
      }, RETRY_MS).unref();
    }
  }

  function tellNews({ receiverId, senderId, adId, id }: EventPayloads['messages']): void {
    if (id && adId && senderId) {
      const message = { id, adId, senderId, receiverId };
      tell(receiverId, 'message', message);
      tell(senderId, 'message', message);
    }
    if (hearing.has(receiverId)) uncounted.add(receiverId);
    void countSoon();
  }

  return {
    subscribe(userId, own) {
      if (!isListening) {
        const onEvent = (event: EventPayloads['messages'] | null) => (event ? tellNews(event) : tellAllLive(true));
        events.subscribe('messages', onEvent, () => tellAllLive(false));
      }
      isListening = true;
      const others = hearing.get(userId) ?? new Set();
      hearing.set(userId, others.add(own));
      own('live', { isLive: events.isUp() });
      uncounted.add(userId);
      void countSoon();
      return () => {
        others.delete(own);
        if (others.size === 0) hearing.delete(userId);
      };
    },
  };
}
