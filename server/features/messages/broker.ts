import type { EventsOf } from '../../../contract/endpoint.ts';
import type { streamMessages } from '../../../contract/messages.ts';
import type { EventPayloads, Events } from '../../db/events.ts';
import type { Db } from '../../db/pools.ts';
import { countUnreadByUser } from './repository.ts';

type StreamEvents = EventsOf<typeof streamMessages>;
type Send = <Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]) => void;

export interface MessageBroker {
  subscribe(userId: string, send: Send): () => void;
}

const RETRY_MS = 1000;

export function createMessageBroker(db: Db, events: Events): MessageBroker {
  const subscribers = new Map<string, Set<Send>>();
  const uncounted = new Set<string>();
  let isListening = false;
  let isCounting = false;

  const publish: <Name extends keyof StreamEvents>(userId: string, name: Name, data: StreamEvents[Name]) => void = (
    userId,
    ...event
  ) => {
    for (const send of subscribers.get(userId) ?? []) send(...event);
  };

  function publishLive(isLive: boolean): void {
    for (const userId of subscribers.keys()) {
      publish(userId, 'live', { isLive });
      if (isLive) uncounted.add(userId);
    }
    void countUnread();
  }

  /** One query at a time: users added while it runs share the next. */
  async function countUnread(): Promise<void> {
    if (isCounting || uncounted.size === 0) return;
    isCounting = true;
    const userIds = [...uncounted].filter((userId) => subscribers.has(userId));
    uncounted.clear();
    try {
      for (const [userId, unreadCount] of await countUnreadByUser(db, userIds))
        publish(userId, 'unread', { unreadCount });
      isCounting = false;
      void countUnread();
    } catch {
      for (const userId of userIds) uncounted.add(userId);
      setTimeout(() => {
        isCounting = false;
        void countUnread();
      }, RETRY_MS).unref();
    }
  }

  function onEvent(event: EventPayloads['messages']): void {
    const { receiverId, senderId, adId, id } = event;
    if (id && adId && senderId) {
      const message = { id, adId, senderId, receiverId };
      publish(receiverId, 'message', message);
      publish(senderId, 'message', message);
    }
    if (subscribers.has(receiverId)) uncounted.add(receiverId);
    void countUnread();
  }

  return {
    subscribe(userId, send) {
      if (!isListening) {
        // null means that events may have been missed
        const handle = (event: EventPayloads['messages'] | null) => (event ? onEvent(event) : publishLive(true));
        events.subscribe('messages', handle, () => publishLive(false));
      }
      isListening = true;
      const streams = subscribers.get(userId) ?? new Set();
      subscribers.set(userId, streams.add(send));
      send('live', { isLive: events.isUp() });
      uncounted.add(userId);
      void countUnread();
      return () => {
        streams.delete(send);
        if (streams.size === 0) subscribers.delete(userId);
      };
    },
  };
}
