import type { EventsOf } from '../../../contract/endpoint.ts';
import type { streamMessages } from '../../../contract/messages.ts';
import type { Listener } from '../../db/events.ts';
import type { Db } from '../../db/pools.ts';
import { countUnreadByUser, MESSAGE_CHANNEL, type MessageEvent, parseMessageEvent } from './repository.ts';

type Events = EventsOf<typeof streamMessages>;
type Hear = <Name extends keyof Events>(name: Name, data: Events[Name]) => void;

export interface MessageBroker {
  /** Tells a person's own news until the returned function is called. */
  subscribe(userId: string, hear: Hear): () => void;
}

const RETRY_MS = 1000;

/** Hands what NOTIFY says of messages to whoever of this process listens for that person, and to nobody else. */
export function createMessageBroker(db: Db, listener: Listener): MessageBroker {
  const hearing = new Map<string, Set<Hear>>();
  const uncounted = new Set<string>();
  let isListening = false;
  let isCounting = false;

  const tell: <Name extends keyof Events>(userId: string, name: Name, data: Events[Name]) => void = (
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

  function hear(payload: string): void {
    const news = parseMessageEvent(payload);
    if (news) tellNews(news);
    else tellAllLive(true);
  }

  function tellNews({ userId, message }: MessageEvent): void {
    if (message) {
      tell(userId, 'message', message);
      tell(message.senderId, 'message', message);
    }
    if (hearing.has(userId)) uncounted.add(userId);
    void countSoon();
  }

  return {
    subscribe(userId, own) {
      if (!isListening) listener.on(MESSAGE_CHANNEL, hear, () => tellAllLive(false));
      isListening = true;
      const others = hearing.get(userId) ?? new Set();
      hearing.set(userId, others.add(own));
      own('live', { isLive: listener.isUp() });
      uncounted.add(userId);
      void countSoon();
      return () => {
        others.delete(own);
        if (others.size === 0) hearing.delete(userId);
      };
    },
  };
}
