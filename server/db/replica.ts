import type { Logger } from '../observability/log.ts';
import type { Db } from './pools.ts';

/** Maximum lag of the replica before reads go to the primary. */
export const MAX_LAG_MS = 3000;
const POLL_MS = 1000;

export interface Reads {
  /** The replica while it responds and its lag is low, else the primary. */
  choose(): Db;
  suspect(): void;
  close(): Promise<void>;
}

interface Sample {
  at: number;
  lsn: bigint;
}

const parseLsn = (lsn: string): bigint => {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

async function readLsn(db: Db, call: string): Promise<bigint> {
  const { rows } = await db.raw<{ rows: { lsn: string | null }[] }>(`select ${call} as lsn`);
  return parseLsn(rows[0]?.lsn ?? '0/0');
}

/**
 * Checks the replica once a second: it must have replayed what the primary had written MAX_LAG_MS ago. The standby's
 * own clock cannot tell: it does not advance while the primary is idle or the standby is disconnected.
 */
export function createReads(primary: Db, replica: Db | undefined, log: Logger): Reads {
  if (!replica) return { choose: () => primary, suspect() {}, async close() {} };
  let samples: Sample[] = [];
  let isUsable = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const setUsable = (value: boolean, err?: unknown) => {
    if (value === isUsable || isClosed) return;
    isUsable = value;
    if (value) log.info('reading from the replica');
    else log.warn({ err }, 'reading from the primary');
  };

  async function check(): Promise<void> {
    const [written, replayed] = await Promise.all([
      readLsn(primary, 'pg_current_wal_lsn()'),
      readLsn(replica as Db, 'coalesce(pg_last_wal_replay_lsn(), pg_current_wal_lsn())'),
    ]);
    const at = Date.now();
    samples = [...samples.filter((sample) => at - sample.at < 2 * MAX_LAG_MS), { at, lsn: written }];
    const old = samples.findLast((sample) => at - sample.at >= MAX_LAG_MS - POLL_MS) ?? samples[0];
    setUsable(replayed >= (old?.lsn ?? written));
  }

  async function watch(): Promise<void> {
    await check().catch((error) => setUsable(false, error));
    if (!isClosed) timer = setTimeout(watch, POLL_MS).unref();
  }

  let watching: Promise<void> | undefined;
  return {
    choose() {
      // the first read starts the checks: a process that never reads from the replica does not connect to it
      watching ??= watch();
      return isUsable ? replica : primary;
    },
    suspect: () => setUsable(false),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await watching;
      await replica.destroy();
    },
  };
}
