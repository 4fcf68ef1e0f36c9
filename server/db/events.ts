import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../observability/log.ts';
import { clientConfig } from './pools.ts';

export interface Listener {
  /**
   * Calls back on every NOTIFY of the channel, and once, with '', after a lost connection, when something may have been
   * missed. `lost` is called when the connection is.
   */
  on(channel: string, heard: (payload: string) => void, lost?: () => void): void;
  /** False while notifications may be missed: caches that rely on them must be bypassed. */
  isUp(): boolean;
  close(): Promise<void>;
}

const CHECK = 'tradepost_check';
const CHANNEL = /^[a-z_]{1,40}$/;

/** Milliseconds until a failed connection is tried again, at first. */
const FIRST_WAIT = 100;

/** How often the connection is asked whether it still lives, and how long it may take to answer. */
const PATIENCE = { pingMs: 30_000, pongMs: 5000 };

/**
 * One connection for all LISTENs of this process, opened by the first and reopened when it is lost. `url` must be a direct connection:
 * LISTEN does not work through a transaction pooler.
 */
export function createListener(url: string, log: Logger, { pingMs, pongMs } = PATIENCE): Listener {
  const heardBy = new Map<string, ((payload: string) => void)[]>();
  const losers: (() => void)[] = [];
  let client: pg.Client | undefined;
  let isUp = false;
  let isClosed = false;

  const tellAll = () => {
    for (const callbacks of heardBy.values()) for (const heard of callbacks) heard('');
  };

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client(clientConfig({ url, name: 'tradepost listen', statementTimeout: 0 }));
    fresh.on('notification', ({ channel, payload }) => {
      for (const heard of heardBy.get(channel) ?? []) heard(payload ?? '');
    });
    const lost = new Promise<void>((resolve) => {
      fresh.on('error', () => resolve());
      fresh.on('end', () => resolve());
    });
    await fresh.connect();
    // channels that are added from now on are asked for at once
    client = fresh;
    for (const channel of [...heardBy.keys(), CHECK]) await fresh.query(`listen ${channel}`);
    if (!(await hears(fresh))) {
      await fresh.end();
      throw new Error('what is notified is not heard: DATABASE_DIRECT_URL has to go past a transaction pooler');
    }
    void lost.then(() => {
      isUp = false;
      for (const lose of losers) lose();
      if (client === fresh) client = undefined;
      if (!isClosed) void keepConnected();
    });
    void keepAsking(fresh);
    return fresh;
  }

  /** Through a transaction pooler LISTEN succeeds, and nothing of what others say is ever heard. */
  async function hears(fresh: pg.Client): Promise<boolean> {
    const word = randomUUID();
    const heard = new Promise<true>((resolve) => {
      fresh.on('notification', ({ payload }) => payload === word && resolve(true));
    });
    const other = new pg.Client(clientConfig({ url, name: 'tradepost listen check' }));
    other.on('error', () => {});
    try {
      await other.connect();
      await other.query('select pg_notify($1, $2)', [CHECK, word]);
    } catch {
      // no connection to spare: that says nothing about the first
      return true;
    } finally {
      await other.end().catch(() => {});
    }
    return Promise.race([heard, sleep(pongMs, false, { ref: false })]);
  }

  /** A network that swallows packets ends no connection: one that does not answer is ended here. */
  async function keepAsking(fresh: pg.Client): Promise<void> {
    const question = { text: 'select 1', query_timeout: pongMs };
    try {
      for (;;) {
        await sleep(pingMs, undefined, { ref: false });
        await fresh.query(question);
      }
    } catch {
      await fresh.end();
    }
  }

  async function keepConnected(): Promise<void> {
    for (let wait = FIRST_WAIT; !isClosed; wait = Math.min(wait * 2, 5000)) {
      try {
        const fresh = await connect();
        if (isClosed) return void fresh.end();
        isUp = true;
        return tellAll();
      } catch (error) {
        client = undefined;
        log[wait === FIRST_WAIT ? 'warn' : 'debug']({ err: error }, 'LISTEN is down');
        await sleep(wait, undefined, { ref: false });
      }
    }
  }

  return {
    on(channel, heard, lost) {
      if (!CHANNEL.test(channel)) throw new Error(`not a channel name: ${channel}`);
      const isFirst = heardBy.size === 0;
      heardBy.set(channel, [...(heardBy.get(channel) ?? []), heard]);
      if (lost) losers.push(lost);
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
