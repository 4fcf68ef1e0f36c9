// What may go wrong around a marketplace, in an order that a seed decides.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { drawByWeight } from '../../seeds/demo/random.ts';
import type { Db } from '../../server/db/pools.ts';
import { foldCounters } from '../../server/features/stats/repository.ts';
import type { DrillReplica, DrillSite } from './site.ts';

const MARKETCTL = join(import.meta.dirname, '../../local/marketctl.ts');

type Random = () => number;
type Heal = () => Promise<void>;

interface Fault {
  name: string;
  weight: number;
  /** Milliseconds until it is healed, at most. */
  lasts: number;
  strike(site: DrillSite, random: Random): Promise<Heal>;
}

const pickReplica = ({ replicas }: DrillSite, random: Random): DrillReplica => replicas[random() < 0.5 ? 0 : 1];

/** Runs a command of the operator. Faults may fail it, too; what it leaves behind is checked with everything else. */
const marketctl = async ({ environment }: DrillSite, ...args: string[]): Promise<void> => {
  const env = { PATH: process.env.PATH, ...environment };
  await promisify(execFile)(process.execPath, [MARKETCTL, ...args], { env, timeout: 60_000 }).catch(() => {});
};

/** Runs the job that adds up counters while the replicas count. */
const foldOften = async (db: Db): Promise<void> => {
  for (let i = 0; i < 20; i++) {
    await foldCounters(db).catch(() => {});
    await sleep(50);
  }
};

/** Runs beside the fault that strikes next. Healing waits for its end. */
const beside = (work: Promise<void>): Heal => {
  work.catch(() => {});
  return () => work;
};

const KILL_REPLICA: Fault = {
  name: 'replica killed',
  weight: 5,
  lasts: 1500,
  async strike(site, random) {
    const replica = pickReplica(site, random);
    await replica.kill();
    return () => replica.start();
  },
};

const KILL_POSTGRES: Fault = {
  name: 'PostgreSQL killed',
  weight: 3,
  lasts: 500,
  async strike({ postgres }) {
    await postgres.kill();
    return () => postgres.start();
  },
};

const FAIL_S3: Fault = {
  name: 'S3 failed',
  weight: 3,
  lasts: 6000,
  async strike({ s3 }, random) {
    s3.failNext(random() < 0.5 ? 8 + Math.floor(random() * 24) : 10_000);
    return async () => s3.failNext(0);
  },
};

const LOSE_COMMITS: Fault = {
  name: 'responses to COMMIT lost',
  weight: 3,
  lasts: 3000,
  async strike({ replicas }, random) {
    for (const { database } of replicas) database.loseCommits(1 + Math.floor(random() * 4));
    return async () => {
      for (const { database } of replicas) database.loseCommits(0);
    };
  },
};

const FAULTS: readonly Fault[] = [
  KILL_REPLICA,
  KILL_POSTGRES,
  FAIL_S3,
  LOSE_COMMITS,
  {
    name: 'both replicas killed',
    weight: 1,
    lasts: 1000,
    async strike({ replicas }) {
      await Promise.all(replicas.map((replica) => replica.kill()));
      return async () => void (await Promise.all(replicas.map((replica) => replica.start())));
    },
  },
  {
    name: 'replica restarted',
    weight: 1,
    lasts: 500,
    async strike(site, random) {
      const replica = pickReplica(site, random);
      return beside(replica.stop().then(() => replica.start()));
    },
  },
  {
    name: 'replica paused',
    weight: 2,
    lasts: 4000,
    async strike(site, random) {
      const replica = pickReplica(site, random);
      replica.pause();
      return async () => replica.resume();
    },
  },
  {
    name: 'PostgreSQL recovered from a killed connection',
    weight: 1,
    lasts: 500,
    async strike({ postgres }) {
      await postgres.killOneConnection();
      return () => postgres.start();
    },
  },
  {
    name: 'PostgreSQL paused',
    weight: 2,
    // longer than a client waits for a statement
    lasts: 8000,
    async strike({ postgres }) {
      postgres.pause();
      return async () => postgres.resume();
    },
  },
  {
    name: 'connections cut',
    weight: 5,
    lasts: 100,
    async strike({ proxies, replicas }, random) {
      const hit = random() < 0.3 ? proxies : [replicas[random() < 0.5 ? 0 : 1].database];
      for (const proxy of hit) proxy.cut();
      return async () => {};
    },
  },
  {
    name: 'connections frozen',
    weight: 2,
    lasts: 7000,
    async strike(site, random) {
      const { database } = pickReplica(site, random);
      database.freeze();
      return async () => {
        database.thaw();
        // those that came meanwhile were swallowed
        database.cut();
      };
    },
  },
  {
    name: 'connections slowed',
    weight: 1,
    lasts: 3000,
    async strike(site, random) {
      const { database } = pickReplica(site, random);
      database.slow(20 + random() * 80);
      return async () => database.slow(0);
    },
  },
  {
    name: 'S3 slowed',
    weight: 3,
    lasts: 3000,
    async strike({ s3 }, random) {
      s3.delayPuts(200 + random() * 3000);
      return async () => s3.delayPuts(0);
    },
  },
  {
    name: 'disk of the cache filled',
    weight: 2,
    lasts: 4000,
    async strike(site, random) {
      const replica = pickReplica(site, random);
      replica.fillDisk();
      return async () => replica.freeDisk();
    },
  },
  {
    name: 'clock of the jobs moved',
    weight: 2,
    lasts: 100,
    // by less than an hour, after which they may delete images that a running request has just stored
    strike: async (site) => beside(marketctl(site, 'jobs', 'run', '--now', '+45m')),
  },
  {
    name: 'counters added up',
    weight: 2,
    lasts: 100,
    strike: async ({ db }) => beside(foldOften(db)),
  },
  {
    name: 'offers expired',
    weight: 0.5,
    lasts: 100,
    strike: async (site) => beside(marketctl(site, 'jobs', 'run', 'expire-offers', '--now', '+49h')),
  },
  {
    name: 'reservations ended',
    weight: 0.5,
    lasts: 100,
    strike: async (site) => beside(marketctl(site, 'jobs', 'run', 'end-reservations', '--now', '+8d')),
  },
];

const whenReady = async ({ replicas }: DrillSite): Promise<void> => {
  await Promise.all(replicas.map((replica) => replica.ready()));
};

/**
 * Strikes with one fault after the other, sometimes with two at once, until `until` is aborted; the first kills a
 * replica, often the second PostgreSQL; the third hits the way to S3 or a COMMIT. Then heals everything and resolves
 * when both replicas are ready. Returns how often each fault struck.
 */
export const runNemesis = async (
  site: DrillSite,
  random: Random,
  until: AbortSignal,
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  const draw = drawByWeight(FAULTS, ({ weight }) => weight, random);
  const begin = [KILL_REPLICA, random() < 0.6 ? KILL_POSTGRES : undefined, random() < 0.5 ? FAIL_S3 : LOSE_COMMITS];
  const ended = once(until, 'abort');
  const wait = (ms: number) => sleep(ms, undefined, { signal: until }).catch(() => {});
  for (let round = 0; !until.aborted; round++) {
    await wait(200 + random() * 1000);
    if (until.aborted) break;
    const faults = [begin[round] ?? draw()];
    if (random() < 0.25) faults.push(draw());
    const heals: Heal[] = [];
    for (const fault of faults) {
      heals.push(await fault.strike(site, random));
      counts[fault.name] = (counts[fault.name] ?? 0) + 1;
    }
    await wait(random() * Math.max(...faults.map(({ lasts }) => lasts)));
    // at once: a paused replica that is to stop has to go on first
    await Promise.all(heals.map((heal) => heal()));
    // most faults strike a site that works
    if (random() < 0.7) await Promise.race([whenReady(site), ended]);
  }
  await site.postgres.start();
  for (const replica of site.replicas) await replica.start();
  await whenReady(site);
  return counts;
};
