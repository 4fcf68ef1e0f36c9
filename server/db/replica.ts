import type { Logger } from '../observability/log.ts';
import type { Db } from './pools.ts';

/** How far the replica may be behind before reads go to the primary. Read-your-writes (server/http) waits longer. */
export const MAX_LAG_MS = 3000;
const POLL_MS = 1000;

export interface Reads {
  /** The replica while it is there and close behind, else the primary. */
  choose(): Db;
  /** A query on the replica failed: read from the primary until the next look. */
  suspect(): void;
  close(): Promise<void>;
}

interface Sample {
  at: number;
  lsn: bigint;
}

const toNumber = (lsn: string): bigint => {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

async function readLsn(db: Db, call: string): Promise<bigint> {
  const { rows } = await db.raw<{ rows: { lsn: string | null }[] }>(`select ${call} as lsn`);
  return toNumber(rows[0]?.lsn ?? '0/0');
}

/**
 * Watches the replica once a second. It is close behind if it has replayed what the primary had written MAX_LAG_MS ago:
 * the standby's own clock says nothing while the primary is idle, and nothing true while it is cut off.
 */
export function createReads(primary: Db, replica: Db | undefined, log: Logger): Reads {
  if (!replica) return { choose: () => primary, suspect() {}, async close() {} };
  let samples: Sample[] = [];
  let usable = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const say = (now: boolean, why?: unknown) => {
    if (now === usable || closed) return;
    usable = now;
    if (now) log.info('reading from the replica');
    else log.warn({ err: why }, 'reading from the primary');
  };

  async function look(): Promise<void> {
    const [written, replayed] = await Promise.all([
      readLsn(primary, 'pg_current_wal_lsn()'),
      readLsn(replica as Db, 'coalesce(pg_last_wal_replay_lsn(), pg_current_wal_lsn())'),
    ]);
    const at = Date.now();
    samples = [...samples.filter((sample) => at - sample.at < 2 * MAX_LAG_MS), { at, lsn: written }];
    const old = samples.findLast((sample) => at - sample.at >= MAX_LAG_MS - POLL_MS) ?? samples[0];
    say(replayed >= (old?.lsn ?? written));
  }

  async function watch(): Promise<void> {
    await look().catch((error) => say(false, error));
    if (!closed) timer = setTimeout(watch, POLL_MS).unref();
  }

  let watching: Promise<void> | undefined;
  return {
    choose() {
      // begun by the first reader: the terminal, which reads nothing from here, need not connect
      watching ??= watch();
      return usable ? replica : primary;
    },
    suspect: () => say(false),
    async close() {
      closed = true;
      clearTimeout(timer);
      await watching;
      await replica.destroy();
    },
  };
}
