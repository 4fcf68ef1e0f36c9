import type { EventsOf } from '../../../contract/endpoint.ts';
import type { streamMessages } from '../../../contract/messages.ts';
import { perProcess } from '../../app-context.ts';
import type { EventPayloads, Events } from '../../db/events.ts';
import type { Db } from '../../db/pools.ts';
import { countUnreadNotifications } from '../notifications/repository.ts';
import { createPresence, type Presence } from './presence.ts';
import { countUnreadByUser } from './repository.ts';

type StreamEvents = EventsOf<typeof streamMessages>;
type Send = <Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]) => void;

/** Sends events about messages and notifications to the open streams of their users. */
export interface MessageBroker {
  subscribe(userId: string, send: Send): () => void;
}

const RETRY_MS = 1000;

type CountEvent = 'unread' | 'notifications';
type CountUnread = (db: Db, userIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export function createMessageBroker(db: Db, events: Events, presence: Presence): MessageBroker {
  const subscribers = new Map<string, Set<Send>>();
  let isListening = false;

  const publish: <Name extends keyof StreamEvents>(userId: string, name: Name, data: StreamEvents[Name]) => void = (
    userId,
    ...event
  ) => {
    for (const send of subscribers.get(userId) ?? []) send(...event);
  };

  /** Returns a function that counts for these users and publishes the counts to those who are subscribed. */
  function createCounter(name: CountEvent, countUnread: CountUnread): (userIds: Iterable<string>) => void {
    const uncounted = new Set<string>();
    let isCounting = false;

    /** One query at a time: users added while it runs share the next. */
    async function count(): Promise<void> {
      if (isCounting || uncounted.size === 0) return;
      isCounting = true;
      const userIds = [...uncounted].filter((userId) => subscribers.has(userId));
      uncounted.clear();
      try {
        for (const [userId, unreadCount] of await countUnread(db, userIds)) publish(userId, name, { unreadCount });
        isCounting = false;
        void count();
      } catch {
        for (const userId of userIds) uncounted.add(userId);
        setTimeout(() => {
          isCounting = false;
          void count();
        }, RETRY_MS).unref();
      }
    }

    return (userIds) => {
      for (const userId of userIds) if (subscribers.has(userId)) uncounted.add(userId);
      void count();
    };
  }

  const countMessages = createCounter('unread', countUnreadByUser);
  const countNotifications = createCounter('notifications', countUnreadNotifications);

  function publishLive(isLive: boolean): void {
    for (const userId of subscribers.keys()) publish(userId, 'live', { isLive });
    if (isLive) countMessages(subscribers.keys());
  }

  function onMessage(event: EventPayloads['messages']): void {
    const { receiverId, senderId, adId, id } = event;
    if (id && adId && senderId) {
      const message = { id, adId, senderId, receiverId };
      publish(receiverId, 'message', message);
      publish(senderId, 'message', message);
    }
    countMessages([receiverId]);
  }

  /** null means that events may have been missed, or that many users have new notifications. */
  function listen(): void {
    events.subscribe(
      'messages',
      (event) => (event ? onMessage(event) : publishLive(true)),
      () => publishLive(false),
    );
    events.subscribe('notifications', (event) => countNotifications(event ? [event.userId] : subscribers.keys()));
  }

  return {
    subscribe(userId, send) {
      if (!isListening) listen();
      isListening = true;
      const streams = subscribers.get(userId) ?? new Set();
      subscribers.set(userId, streams.add(send));
      if (streams.size === 1) presence.enter(userId);
      send('live', { isLive: events.isUp() });
      countMessages([userId]);
      countNotifications([userId]);
      return () => {
        streams.delete(send);
        if (streams.size > 0) return;
        subscribers.delete(userId);
        presence.leave(userId);
      };
    },
  };
}

export const getMessageBroker = perProcess(({ db, log, events, onClose }) => {
  const presence = createPresence(db, log);
  onClose(presence.close);
  return createMessageBroker(db, events, presence);
});
