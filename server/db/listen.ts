import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { clientConfig } from './connect.ts';

export interface Listener {
  /** Calls back on every NOTIFY of the channel, and once after a lost connection, when something may have been missed. */
  on(channel: string, heard: (payload: string) => void): void;
  /** False while notifications may be missed: caches that rely on them must be bypassed. */
  isUp(): boolean;
  close(): Promise<void>;
}

const CHANNEL = /^[a-z_]{1,40}$/;

/**
 * One connection for all LISTENs of this process, opened by the first and reopened when it is lost. `url` must be a direct connection:
 * LISTEN does not work through a transaction pooler.
 */
export function openListener(url: string, log: Logger): Listener {
  const heardBy = new Map<string, ((payload: string) => void)[]>();
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
    for (const channel of heardBy.keys()) await fresh.query(`listen ${channel}`);
    void lost.then(() => {
      isUp = false;
      if (client === fresh) client = undefined;
      if (!isClosed) void keepConnected();
    });
    return fresh;
  }

  async function keepConnected(): Promise<void> {
    for (let wait = 100; !isClosed; wait = Math.min(wait * 2, 5000)) {
      try {
        client = await connect();
        if (isClosed) return void client.end();
        isUp = true;
        return tellAll();
      } catch (error) {
        log.debug({ err: error }, 'LISTEN is down');
        await sleep(wait, undefined, { ref: false });
      }
    }
  }

  return {
    on(channel, heard) {
      if (!CHANNEL.test(channel)) throw new Error(`not a channel name: ${channel}`);
      const isFirst = heardBy.size === 0;
      heardBy.set(channel, [...(heardBy.get(channel) ?? []), heard]);
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
