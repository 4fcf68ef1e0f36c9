/**
 * `make overload`: what one process does at most, what becomes of it at ten times that load, how soon it is well again,
 * and whether people are served while hostile clients are there. Prints a table; fails only where it cannot measure.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { insertAdmin } from '../harness/factories.ts';
import {
  type Attack,
  openStreams,
  readNothing,
  sendBodySlowly,
  sendBombs,
  sendHeadersSlowly,
  uploadTooMuch,
} from './hostile.ts';
import { type Marketplace, readPeakMemory, separateCores, withMarketplace } from './marketplace.ts';
import { KINDS, OUTCOMES, sumWindows, type Tally, timeAt, type Window } from './outcomes.ts';
import { type Attempt, startPeople } from './people.ts';

const { values } = parseArgs({
  options: {
    ads: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '60' },
    /** Only the hostile clients whose name contains this. */
    hostile: { type: 'string' },
  },
});
const OVERLOAD_SECONDS = Number(values.seconds);
const WRITERS = 1000;
const PEOPLE = 20;
const WARM_UP_SECONDS = 15;
const TRIED_CONNECTIONS = [16, 32, 64, 128];
const TRY_SECONDS = 8;
const STEADY_SECONDS = 20;
/** Of the peak: what a marketplace that is well does all day. */
const NORMAL = 0.6;
const TIMES = 10;
const HOSTILE_SECONDS = 20;
const NORMAL_WHILE_HOSTILE = 0.2;
const EVENT_STREAMS = 2000;
/** Images come from memory before the admission queue: ten times as many are served, which would hide the rest. */
const QUEUED = KINDS.filter((kind) => kind !== 'image');

interface Row {
  what: string;
  measured: string;
  promised?: string;
  isMet?: boolean;
}

const rows: Row[] = [];
const note = (row: Row): void => {
  rows.push(row);
  console.log(`${row.what}: ${row.measured}${row.isMet === false ? '  NOT MET' : ''}`);
};
const show = (value: number): string => (Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0));
const percent = (part: number): string => `${Math.round(part * 100)} %`;

const totalOf = ({ counts }: Tally): number => OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
const nameOutcomes = ({ counts }: Tally): string =>
  OUTCOMES.filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcome}`)
    .join(', ');

interface Peak {
  connections: number;
  perSecond: number;
  tally: Tally;
  windows: Window[];
}

/** The most that clients who wait for each response get, over several numbers of clients. */
async function findPeak({ load }: Marketplace): Promise<Peak> {
  await load.run({ connections: 32 }, WARM_UP_SECONDS);
  let best = { connections: 0, perSecond: 0 };
  for (const connections of TRIED_CONNECTIONS) {
    const { counts } = sumWindows(await load.run({ connections }, TRY_SECONDS));
    const perSecond = counts.served / TRY_SECONDS;
    console.log(`  ${connections} connections: ${show(perSecond)} a second`);
    if (perSecond > best.perSecond) best = { connections, perSecond };
  }
  const windows = await load.run({ connections: best.connections }, STEADY_SECONDS);
  const tally = sumWindows(windows);
  return { connections: best.connections, perSecond: tally.counts.served / STEADY_SECONDS, tally, windows };
}

/** So many windows have some hundred requests, of which 99 % can be told from all. */
const RECOVERY_WINDOWS = 4;

/** Seconds after which the time of 99 % stays below `limitMs`, and nothing is refused. */
function findRecovery(windows: readonly Window[], limitMs: number): number {
  const isLate = (window: Window, i: number) => {
    const tally = sumWindows([window]);
    const recent = sumWindows(windows.slice(Math.max(0, i + 1 - RECOVERY_WINDOWS), i + 1));
    return timeAt(recent, 0.99) > limitMs || tally.counts.served < totalOf(tally);
  };
  const last = windows.findLast((window, i) => window.sent > 0 && isLate(window, i));
  return (last?.endMs ?? 0) / 1000;
}

function noteKinds(peak: Peak, overload: readonly Window[], seconds: number): void {
  for (const kind of KINDS) {
    const [before, during] = [sumWindows(peak.windows, [kind]), sumWindows(overload, [kind])];
    const rate = during.counts.served / seconds / (before.counts.served / STEADY_SECONDS);
    note({
      what: `ten times the load: ${kind}`,
      measured: `${percent(rate)} of peak, p99 ${show(timeAt(during, 0.99))} ms (${show(timeAt(before, 0.99))} at peak)`,
    });
  }
}

function notePeople(attempts: readonly Attempt[]): void {
  for (const what of new Set(attempts.map((attempt) => attempt.what))) {
    const own = attempts.filter((attempt) => attempt.what === what);
    const done = own.filter(({ isDone }) => isDone);
    const slowest = Math.max(...own.map(({ ms }) => ms)) / 1000;
    const tries = Math.max(...own.map((attempt) => attempt.tries));
    note({
      what: `ten times the load: ${what}`,
      measured: `${done.length} of ${own.length} within 30 s; slowest ${show(slowest)} s, at most ${tries} tries`,
      promised: 'all get through',
      isMet: done.length === own.length,
    });
  }
}

/** Clients that wait for each response, ten times as many as give the peak. */
async function measureMoreClients({ load }: Marketplace, peak: Peak): Promise<void> {
  const connections = peak.connections * TIMES;
  const tally = sumWindows(await load.run({ connections }, STEADY_SECONDS));
  const goodput = tally.counts.served / STEADY_SECONDS / peak.perSecond;
  note({
    what: 'ten times the clients: goodput, of peak',
    measured: `${percent(goodput)} with ${connections} connections; ${nameOutcomes(tally)}`,
    promised: '≥ 80 %',
    isMet: goodput >= 0.8,
  });
  note({ what: 'ten times the clients: p99', measured: `${show(timeAt(tally, 0.99))} ms` });
}

async function measureOverload(marketplace: Marketplace): Promise<number> {
  const { load, server, app, material, port } = marketplace;
  const peak = await findPeak(marketplace);
  note({
    what: 'peak goodput',
    measured: `${show(peak.perSecond)}/s with ${peak.connections} connections, p99 ${show(timeAt(peak.tally, 0.99))} ms`,
  });
  const normal = sumWindows(await load.run({ rate: peak.perSecond * NORMAL }, STEADY_SECONDS));
  const normalP99 = timeAt(normal, 0.99);
  note({ what: `at ${percent(NORMAL)} of it`, measured: `p99 ${show(normalP99)} ms; ${nameOutcomes(normal)}` });
  note({ what: 'memory before', measured: `${show(readPeakMemory(server.pid))} MiB at most` });

  await measureMoreClients(marketplace, peak);

  const { login } = await insertAdmin(app);
  const overload = load.start({ rate: peak.perSecond * TIMES });
  const people = startPeople({ port, host: material.host }, login, material.writers.slice(0, PEOPLE));
  await sleep(OVERLOAD_SECONDS * 1000);
  const normalAgain = load.start({ rate: peak.perSecond * NORMAL });
  const stopped = people.stop();
  await sleep(STEADY_SECONDS * 1000);
  const after = await normalAgain.settle();
  const during = overload.windows;
  await stopped;

  const tally = sumWindows(during);
  const sent = during.reduce((sum, window) => sum + window.sent, 0) / OVERLOAD_SECONDS;
  const late = Math.max(...during.map(({ lateMs }) => lateMs));
  const served = tally.counts.served / OVERLOAD_SECONDS / peak.perSecond;
  const [queuedAtPeak, queued] = [sumWindows(peak.windows, QUEUED), sumWindows(during, QUEUED)];
  const goodput = queued.counts.served / OVERLOAD_SECONDS / (queuedAtPeak.counts.served / STEADY_SECONDS);
  const [p99, peakP99] = [timeAt(queued, 0.99), timeAt(queuedAtPeak, 0.99)];
  note({
    what: 'ten times the load: offered',
    measured: `${show(sent)}/s (${show(sent / peak.perSecond)} × peak), begun at most ${show(late)} ms late; ${nameOutcomes(tally)}`,
  });
  note({
    what: 'ten times the load: goodput, of peak',
    measured: percent(served),
    promised: '≥ 80 %',
    isMet: served >= 0.8,
  });
  note({
    what: 'ten times the load: goodput without images, of peak',
    measured: percent(goodput),
    promised: '≥ 80 %',
    isMet: goodput >= 0.8,
  });
  note({
    what: 'ten times the load: p99 of accepted requests, relative to that at peak',
    measured: `${show(p99 / peakP99)} × (${show(p99)} ms; ${show(timeAt(queued, 0.5))} ms for half of them)`,
    promised: '≤ 2 ×',
    isMet: p99 <= 2 * peakP99,
  });
  noteKinds(peak, during, OVERLOAD_SECONDS);
  notePeople(people.attempts);
  const memory = readPeakMemory(server.pid);
  note({ what: 'memory, at most', measured: `${show(memory)} MiB`, promised: '≤ 512 MiB', isMet: memory <= 512 });
  const recovery = findRecovery(after, 2 * Math.max(normalP99, 1));
  note({
    what: 'after it: until p99 is at most twice the normal one and nothing is refused',
    measured: `${show(recovery)} s; ${nameOutcomes(sumWindows(after))}`,
    promised: '≤ 5 s',
    isMet: recovery <= 5,
  });
  return peak.perSecond;
}

const listAttacks = ({ port, material }: Marketplace): [name: string, start: () => Attack][] => {
  const target = { port, host: material.host };
  const cookies = material.writers.map(({ cookie }) => cookie);
  return [
    ['500 clients that read nothing', () => readNothing(target, 500)],
    ['1,000 clients that send headers slowly', () => sendHeadersSlowly(target, 1000)],
    ['1,000 clients that send a body slowly', () => sendBodySlowly(target, 1000)],
    ['2,100 event streams', () => openStreams(target, EVENT_STREAMS + 100, cookies)],
    ['20 clients that send compressed bombs', () => sendBombs(target, 20)],
    ['20 clients that upload 69 MB each', () => uploadTooMuch(target, 20, cookies)],
  ];
};

async function measureHostile(marketplace: Marketplace, peakPerSecond: number, name = ''): Promise<void> {
  const { load, server } = marketplace;
  const rate = peakPerSecond * NORMAL_WHILE_HOSTILE;
  const before = sumWindows(await load.run({ rate }, STEADY_SECONDS));
  note({ what: `at ${percent(NORMAL_WHILE_HOSTILE)} of peak`, measured: `p99 ${show(timeAt(before, 0.99))} ms` });
  for (const [what, start] of listAttacks(marketplace)) {
    if (!what.includes(name)) continue;
    // forgets the peak so far
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const attack = start();
    const during = sumWindows(await load.run({ rate }, HOSTILE_SECONDS));
    const statuses = [...attack.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    const { opened, closed } = attack;
    attack.stop();
    const served = during.counts.served / totalOf(during);
    note({
      what,
      measured:
        `${served === 1 ? 'all' : `${(served * 100).toFixed(2)} %`} of ${totalOf(during)} others served, p99 ${show(timeAt(during, 0.99))} ms; ` +
        `memory at most ${show(readPeakMemory(server.pid))} MiB; ${opened} opened, ${closed} closed by the server` +
        (statuses && `; ${statuses}`),
      promised: 'others are served',
      isMet: served > 0.999,
    });
    await sleep(5000);
  }
}

function printTable(isSeparate: boolean, loadBefore: number): void {
  const where = isSeparate ? 'the load on a core of its own' : 'the load on the same cores';
  console.log(`\n${new Date().toISOString()}; ${where}; load average ${loadBefore.toFixed(1)} before\n`);
  console.log('| what | measured | promised | met |\n| --- | --- | --- | --- |');
  for (const { what, measured, promised = '', isMet } of rows)
    console.log(`| ${what} | ${measured} | ${promised} | ${isMet === undefined ? '' : isMet ? 'yes' : '**no**'} |`);
}

const loadBefore = loadavg()[0]!;
await withMarketplace({ ads: Number(values.ads), writers: WRITERS }, async (marketplace) => {
  const { server, postgresPid, load } = marketplace;
  const isSeparate = separateCores([server.pid, postgresPid], [load.pid, process.pid]);
  const peak = values.hostile === undefined ? await measureOverload(marketplace) : 1000;
  await measureHostile(marketplace, peak, values.hostile);
  printTable(isSeparate, loadBefore);
});
