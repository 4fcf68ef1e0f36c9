import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../seeds/demo/random.ts';
import { checkViews } from './checks.ts';
import { openPeople, postFirstAds, runClients } from './clients.ts';
import { checkDatabase } from './database-checks.ts';
import { createLedger, type KeyedWrite, type Ledger, type Person, type Problem } from './ledger.ts';
import { runNemesis } from './nemesis.ts';
import { type Drill, settle } from './requests.ts';
import type { DrillSite } from './site.ts';
import { watchStream } from './streams.ts';

export interface SeedReport {
  seed: number;
  counts: Ledger['counts'];
  /** How often each fault struck. */
  faults: Record<string, number>;
  /** How often each error code was the response. */
  errors: Map<string, number>;
  problems: Problem[];
}

const PEOPLE = 8;
const WATCHERS = 3;
const REPLAYED = 20;
/** What a client gave up on may still happen, and caches live for a second: a problem counts if it stays. */
const CHECKS = 4;
const CHECK_WAIT_MS = 2500;

const listWrites = ({ ads, messages, offers }: Ledger): KeyedWrite[] =>
  [...ads, ...messages, ...offers].map(({ write }) => write);

/** Sends each write of unknown outcome again with its key, and some acknowledged ones, which must change nothing. */
const repeatWrites = async (drill: Drill): Promise<void> => {
  const { ledger, random } = drill;
  const writes = listWrites(ledger);
  for (const write of writes.filter(({ outcome }) => outcome === 'unknown')) {
    const { outcome, status, code } = await settle(drill, write);
    if (outcome === 'unknown')
      ledger.problems.push({ kind: 'wrong', what: `${write.spec.path} after all faults: ${status} ${code}` });
  }
  const acknowledged = writes.filter(({ outcome }) => outcome === 'acknowledged');
  for (let i = 0; i < REPLAYED && acknowledged.length > 0; i++) {
    const write = acknowledged[Math.floor(random() * acknowledged.length)]!;
    const sent = await settle(drill, write);
    if (sent.outcome !== 'acknowledged' || !sent.headers.has('Idempotent-Replayed'))
      ledger.problems.push({
        kind: 'doubled',
        what: `${write.spec.path} again with ${write.key}: ${sent.status} ${sent.code}`,
      });
  }
};

const check = async (site: DrillSite, drill: Drill, people: readonly Person[], faults: SeedReport['faults']) => {
  const moved = {
    hasExpiredOffers: 'offers expired' in faults,
    hasEndedReservations: 'reservations ended' in faults,
  };
  let problems: Problem[] = [];
  for (let i = 0; i < CHECKS; i++) {
    if (i > 0) await sleep(CHECK_WAIT_MS);
    try {
      problems = [...(await checkViews(drill, people, moved)), ...(await checkDatabase(site, drill.ledger, people))];
    } catch (error) {
      problems = [{ kind: 'wrong', what: `what was written cannot be read: ${(error as Error).message}` }];
    }
    if (problems.length === 0) break;
  }
  return problems;
};

/** Writes that a seed waits for on a busy machine, for each of its seconds. */
const WRITES_PER_SECOND = 8;
const LONGEST = 10;

/** Resolves after so many seconds; without enough acknowledged writes later, after ten times as long at the latest. */
const waitForWork = async ({ counts }: Ledger, seconds: number): Promise<void> => {
  const begun = performance.now();
  for (;;) {
    await sleep(100);
    const passed = (performance.now() - begun) / 1000;
    const isEnough = counts.acknowledged >= seconds * WRITES_PER_SECOND || passed > seconds * LONGEST;
    if (passed > seconds && isEnough) return;
  }
};

/** Gives the site a fresh database, lets people and faults loose on it for so many seconds, heals it and checks everything. */
export const runSeed = async (
  site: DrillSite,
  { seed, seconds }: { seed: number; seconds: number },
): Promise<SeedReport> => {
  await site.begin();
  const people = await openPeople(site, PEOPLE);
  const ledger = createLedger();
  const over = new AbortController();
  const until = over.signal;
  const urls = [site.replicas[0].url, site.replicas[1].url] as const;
  const drill: Drill = { urls, ledger, random: createRandom(seed), isOver: () => until.aborted };
  await postFirstAds(drill, people);
  const [faults] = await Promise.all([
    runNemesis(site, createRandom(seed + 1_000_000), until),
    runClients(drill, people),
    ...people.slice(0, WATCHERS).map((me) => watchStream(drill, me)),
    waitForWork(ledger, seconds).finally(() => over.abort()),
  ]);
  await repeatWrites(drill);
  const problems = await check(site, drill, people, faults);
  return { seed, counts: ledger.counts, faults, errors: ledger.errors, problems: [...ledger.problems, ...problems] };
};
