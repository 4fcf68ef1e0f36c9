import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../observability/log.ts';
import { clientConfig, type Db } from './pools.ts';

/** Events that replicas send each other through NOTIFY, delivered after the transaction has committed. */
export interface EventPayloads {
  sessions: { userId: string };
  images: { sha256: string };
  /**
   * The unread messages of `receiverId` may have changed. `adId` and `senderId` name a conversation that changed, `id`
   * its message that is new or was read, or whose offer changed.
   */
  messages: { receiverId: string; senderId?: string; adId?: string; id?: string };
  /** The unread notifications of this user changed. */
  notifications: { userId: string };
  maintenance: Record<never, never>;
  brand: Record<never, never>;
  pages: Record<never, never>;
}

export type EventName = keyof EventPayloads;

/**
 * The NOTIFY channel of each event, and the order of its fields in the space-separated payload. Replicas of the
 * previous release read both during a rolling upgrade.
 */
export const CHANNELS: { readonly [N in EventName]: { channel: string; fields: readonly (keyof EventPayloads[N])[] } } =
  {
    sessions: { channel: 'sessions', fields: ['userId'] },
    images: { channel: 'image_deleted', fields: ['sha256'] },
    messages: { channel: 'tradepost_message', fields: ['receiverId', 'senderId', 'adId', 'id'] },
    notifications: { channel: 'notifications', fields: ['userId'] },
    maintenance: { channel: 'maintenance', fields: [] },
    brand: { channel: 'tradepost_brand', fields: [] },
    pages: { channel: 'tradepost_pages', fields: [] },
  };

/** Publishes an event when the transaction of `db` commits. Null means that anything may have changed. */
export const publish = async <N extends EventName>(
  db: Db,
  name: N,
  payload: EventPayloads[N] | null,
): Promise<void> => {
  const { channel, fields } = CHANNELS[name];
  const values = payload ? fields.map((field) => payload[field] ?? '') : [];
  await db.raw('select pg_notify(?, ?)', [channel, values.join(' ').trim()]);
};

const parsePayload = <N extends EventName>(name: N, text: string): EventPayloads[N] | null => {
  const { fields } = CHANNELS[name];
  if (fields.length > 0 && text === '') return null;
  const values = text.split(' ');
  return Object.fromEntries(fields.flatMap((field, i) => (values[i] ? [[field, values[i]]] : []))) as EventPayloads[N];
};

export interface Events {
  /**
   * Calls `handler` for every event of this name, and with null whenever the connection is established, because events
   * may have been missed before. Calls `onDown` when the connection is lost.
   */
  subscribe<N extends EventName>(
    name: N,
    handler: (payload: EventPayloads[N] | null) => void,
    onDown?: () => void,
  ): void;
  /** False while events may be missed: bypass caches that rely on events. */
  isUp(): boolean;
  close(): Promise<void>;
}

const CHECK_CHANNEL = 'tradepost_check';
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;

export interface EventsOptions {
  pingMs?: number;
  timeoutMs?: number;
}

/**
 * One connection for all LISTENs of this process. The first subscription opens it, and a lost connection is opened
 * again. `url` must be a direct connection: LISTEN does not work through a transaction pooler.
 */
export function createEvents(
  url: string,
  log: Logger,
  { pingMs = 30_000, timeoutMs = 5000 }: EventsOptions = {},
): Events {
  const handlers = new Map<string, ((text: string | null) => void)[]>();
  const downHandlers: (() => void)[] = [];
  let client: pg.Client | undefined;
  let isUp = false;
  let isClosed = false;

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client(clientConfig({ url, name: 'tradepost listen', statementTimeout: 0 }));
    fresh.on('notification', ({ channel, payload }) => {
      for (const handle of handlers.get(channel) ?? []) handle(payload ?? '');
    });
    const lost = new Promise<void>((resolve) => {
      fresh.on('error', () => resolve());
      fresh.on('end', () => resolve());
    });
    await fresh.connect();
    // from now on `subscribe` sends LISTEN for new channels itself
    client = fresh;
    for (const channel of [...handlers.keys(), CHECK_CHANNEL]) await fresh.query(`listen ${channel}`);
    if (!(await receivesNotifications(fresh))) {
      await fresh.end();
      throw new Error('notifications do not arrive: DATABASE_DIRECT_URL has to go past a transaction pooler');
    }
    void lost.then(() => {
      isUp = false;
      for (const onDown of downHandlers) onDown();
      if (client === fresh) client = undefined;
      if (!isClosed) void keepConnected();
    });
    void pingUntilLost(fresh);
    return fresh;
  }

  /** Through a transaction pooler LISTEN succeeds, but notifications of other sessions never arrive. */
  async function receivesNotifications(fresh: pg.Client): Promise<boolean> {
    const token = randomUUID();
    const received = new Promise<true>((resolve) => {
      fresh.on('notification', ({ payload }) => payload === token && resolve(true));
    });
    const sender = new pg.Client(clientConfig({ url, name: 'tradepost listen check' }));
    sender.on('error', () => {});
    try {
      await sender.connect();
      await sender.query('select pg_notify($1, $2)', [CHECK_CHANNEL, token]);
    } catch {
      // the server has no free connection for the check, which proves nothing about the listening connection
      return true;
    } finally {
      await sender.end().catch(() => {});
    }
    return Promise.race([received, sleep(timeoutMs, false, { ref: false })]);
  }

  /** Detects a network that drops packets: it closes no connection. */
  async function pingUntilLost(fresh: pg.Client): Promise<void> {
    const ping = { text: 'select 1', query_timeout: timeoutMs };
    try {
      for (;;) {
        await sleep(pingMs, undefined, { ref: false });
        await fresh.query(ping);
      }
    } catch {
      await fresh.end();
    }
  }

  async function keepConnected(): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; !isClosed; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      try {
        const fresh = await connect();
        if (isClosed) return void fresh.end();
        // Lost while it was checked: its loss has already started another keepConnected.
        if (client !== fresh) return;
        isUp = true;
        for (const list of handlers.values()) for (const handle of list) handle(null);
        return;
      } catch (error) {
        client = undefined;
        log[retryMs === FIRST_RETRY_MS ? 'warn' : 'debug']({ err: error }, 'LISTEN is down');
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  return {
    subscribe(name, handler, onDown) {
      const { channel } = CHANNELS[name];
      const isFirst = handlers.size === 0;
      const handle = (text: string | null) => handler(text === null ? null : parsePayload(name, text));
      handlers.set(channel, [...(handlers.get(channel) ?? []), handle]);
      if (onDown) downHandlers.push(onDown);
      if (isFirst) void keepConnected();
      else void client?.query(`listen ${channel}`).catch(() => {});
    },
    isUp: () => isUp,
    async close() {
      isClosed = true;
      isUp = false;
      await client?.end().catch(() => {});
    },
  };
}
