import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../observability/log.ts';
import { clientConfig, type Db } from './pools.ts';

/** How often to look, how long a connection may be in use unasked, how long a living server may take to say 1. */
const LOOK_MS = 200;
const SLOW_MS = 400;
const SILENT_MS = 1000;

export interface Watchdog {
  stop(): Promise<void>;
}

/**
 * A connection of its own that asks for nothing: a server that runs answers it however busy the pool is. Opened when
 * there is something to ask: one that idled for hours may have been forgotten on its way.
 */
const openProbe = (url: string) => {
  let client: pg.Client | undefined;
  const open = async (): Promise<pg.Client> => {
    const fresh = new pg.Client(clientConfig({ url, name: 'tradepost pulse', statementTimeout: 0 }));
    client = fresh;
    fresh.on('error', () => {});
    await fresh.connect();
    return fresh;
  };
  const forget = (): pg.Client | undefined => {
    const old = client;
    client = undefined;
    return old;
  };
  return {
    /** Returns when the server said something, a refusal too. */
    ask: async (): Promise<void> => {
      try {
        await (client ?? (await open())).query('select 1');
      } catch {
        forget()?.connection.stream.destroy();
      }
    },
    close: () =>
      void forget()
        ?.end()
        .catch(() => {}),
    cut: () => forget()?.connection.stream.destroy(),
    bytesHeard: () => (client ? bytesFrom(client) : 0),
  };
};

const bytesFrom = ({ connection }: pg.Client): number => (connection.stream as Socket).bytesRead;

/** The connections that a pool has, and since when those in use are. */
const observePool = ({ client: { pool } }: Db) => {
  const all = new Set<pg.Client>();
  const busySince = new Map<pg.Client, number>();
  pool.on('createSuccess', (_id: number, connection: pg.Client) => all.add(connection));
  pool.on('destroySuccess', (_id: number, connection: pg.Client) => all.delete(connection));
  pool.on('acquireSuccess', (_id: number, connection: pg.Client) => busySince.set(connection, performance.now()));
  pool.on('release', (connection: pg.Client) => busySince.delete(connection));
  return {
    bytesHeard: () => [...all].reduce((sum, client) => sum + bytesFrom(client), 0),
    isAnySlow: () => busySince.values().some((since) => performance.now() - since > SLOW_MS),
    cutAll: () => {
      for (const { connection } of all) connection.stream.destroy();
    },
  };
};

/**
 * Tells a slow query from a server that froze or went away without a word. While a connection of the pool is in use for
 * long, the server is asked for a sign of life over another one; if nothing comes from it for a second on any connection,
 * all of the pool are cut: who waits gets an error within two seconds instead of after the statement's timeout. `url` must reach the
 * server itself: a pooler may have no connection left and be well.
 */
export function startWatchdog(db: Db, url: string, log: Logger): Watchdog {
  const ending = new AbortController();
  const connections = observePool(db);
  const probe = openProbe(url);

  // On a machine that is short of processors a connection may take longer than a second to open; its first bytes, or an
  // answer to anybody else, are signs of life.
  const bytesHeard = () => connections.bytesHeard() + probe.bytesHeard();

  const isSilent = async (): Promise<boolean> => {
    let said = false;
    const before = bytesHeard();
    const heard = probe.ask().then(() => {
      said = true;
    });
    await Promise.race([heard, sleep(SILENT_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {})]);
    // after a long turn of our own loop, its timer comes before the answer that has been waiting
    if (!said) await nextTurn();
    return !said && bytesHeard() === before && !ending.signal.aborted;
  };

  const watch = async (): Promise<void> => {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal: ending.signal, ref: false });
      if (!connections.isAnySlow()) probe.close();
      else if (await isSilent()) {
        log.warn('the database is silent: its connections are cut');
        connections.cutAll();
        probe.cut();
      }
    }
  };
  const watching = watch().catch(() => {});
  return {
    async stop() {
      ending.abort();
      await watching;
      probe.cut();
    },
  };
}
