import type { EventsOf } from '../../../contract/endpoint.ts';
import type { streamMessages } from '../../../contract/messages.ts';
import { type AppContext, perProcess } from '../../app-context.ts';
import type { EventPayloads } from '../../db/events.ts';
import type { Db } from '../../db/pools.ts';
import type { MessageRow } from '../../db/rows.ts';
import { countUnreadNotifications } from '../notifications/repository.ts';
import { readAttachments } from './attachments.ts';
import { createPresence, type Presence } from './presence.ts';
import { presentThreadMessage, toMessageContext } from './presenter.ts';
import { createRecentEvents } from './recent-events.ts';
import { countUnreadByUser, listMessagesByIds } from './repository.ts';

type StreamEvents = EventsOf<typeof streamMessages>;
type Send = <Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]) => void;

/** Sends events about messages and notifications to the open streams of their users. */
export interface MessageBroker {
  subscribe(userId: string, send: Send): () => void;
}

const RETRY_MS = 1000;
/** A page that missed more reads again. */
const MAX_CAUGHT_UP = 30;
/** Until then the first LISTEN has taken effect. */
const LISTEN_MS = 2000;

type CountEvent = 'unread' | 'notifications';
type CountUnread = (db: Db, userIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** A message to read and send to both of its people, or to one new stream. */
interface Unsent {
  id: string;
  only?: { userId: string; send: Send } | undefined;
}

type MessageContext = ReturnType<typeof toMessageContext>;

export function createMessageBroker(
  { db, config, log, events }: Pick<AppContext, 'db' | 'config' | 'log' | 'events'>,
  presence: Presence,
): MessageBroker {
  const subscribers = new Map<string, Set<Send>>();
  const recent = createRecentEvents();
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

  let unsent: Unsent[] = [];
  let isReading = false;

  function deliver(row: MessageRow, context: MessageContext, only: Unsent['only']): void {
    const present = (id: string) => presentThreadMessage(row, context, { kind: 'user', id, role: 'user' });
    if (only) only.send('message', present(only.userId));
    else for (const userId of [row.receiver_id, row.sender_id]) publish(userId, 'message', present(userId));
  }

  /** One query at a time: messages added while it runs share the next. */
  async function sendMessages(): Promise<void> {
    if (isReading || unsent.length === 0) return;
    isReading = true;
    const batch = unsent;
    unsent = [];
    const ids = [...new Set(batch.map(({ id }) => id))];
    try {
      const [rows, attachments] = await Promise.all([listMessagesByIds(db, ids), readAttachments(db, ids)]);
      const context = toMessageContext(config, { ads: [], users: [], ...attachments });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { id, only } of batch) {
        const row = byId.get(id);
        try {
          if (row) deliver(row, context, only);
        } catch (err) {
          // one message that cannot be shown must not hold the others: reading it again would fail again
          log.warn({ err, id }, 'a message was not sent to open streams');
        }
      }
      isReading = false;
      void sendMessages();
    } catch {
      unsent = [...batch, ...unsent];
      setTimeout(() => {
        isReading = false;
        void sendMessages();
      }, RETRY_MS).unref();
    }
  }

  function publishLive(isLive: boolean): void {
    recent.restart(isLive ? Date.now() : Infinity);
    for (const userId of subscribers.keys()) publish(userId, 'live', { isLive });
    if (isLive) countMessages(subscribers.keys());
  }

  function onMessage(event: EventPayloads['messages']): void {
    const { receiverId, senderId, adId, id } = event;
    if (adId && senderId) {
      recent.add(event);
      const isHeard = subscribers.has(receiverId) || subscribers.has(senderId);
      if (id && isHeard) {
        unsent.push({ id });
        void sendMessages();
      } else if (!id) {
        publish(receiverId, 'conversation', { adId, otherUserId: senderId });
        publish(senderId, 'conversation', { adId, otherUserId: receiverId });
      }
    }
    countMessages([receiverId]);
  }

  /** Tells a new stream the state, and what came while its page was loading. */
  function catchUp(userId: string, send: Send): void {
    const missed = recent.list(userId);
    const caughtUpMs = missed.length > MAX_CAUGHT_UP ? 0 : recent.getCaughtUpMs();
    send('live', { isLive: events.isUp(), caughtUpMs });
    if (caughtUpMs === 0) return;
    for (const { receiverId, senderId, adId, id } of missed) {
      if (id) unsent.push({ id, only: { userId, send } });
      else if (adId && senderId)
        send('conversation', { adId, otherUserId: senderId === userId ? receiverId : senderId });
    }
    void sendMessages();
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
      if (!isListening) {
        recent.restart(Date.now() + LISTEN_MS);
        listen();
      }
      isListening = true;
      const streams = subscribers.get(userId) ?? new Set();
      subscribers.set(userId, streams.add(send));
      if (streams.size === 1) presence.enter(userId);
      catchUp(userId, send);
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

export const getMessageBroker = perProcess((ctx) => {
  const presence = createPresence(ctx.db, ctx.log);
  ctx.onClose(presence.close);
  return createMessageBroker(ctx, presence);
});
