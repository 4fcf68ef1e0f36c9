import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { HttpResult } from './measure-http.ts';
import type { ClientsResult, QueryResult } from './queries.ts';
import type { MixedResult } from './reads-while-writing.ts';
import type { MatchResults } from './saved-searches.ts';
import type { StartResults } from './starts.ts';
import type { StreamResults } from './streams.ts';
import type { WriteResults } from './writes.ts';

export interface DatabaseResults {
  ads: number;
  queries: QueryResult[];
  clients: ClientsResult;
  naive: ClientsResult;
}

export interface BenchResults {
  at: string;
  quick: boolean;
  /** Load average before and after. Above about 1, other programs were running. */
  load: [number, number];
  databases: DatabaseResults[];
  matches: MatchResults;
  http: HttpResult[];
  mixed: MixedResult[];
  streams: StreamResults;
  writes: WriteResults;
  start: StartResults;
}

interface Row {
  what: string;
  measured: string;
  promised: string;
  isMet: boolean;
}

const round = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
const count = (value: number) => Math.round(value).toLocaleString('en-US');

const UNMET = '**no**';

function toTable(rows: Row[]): string {
  const lines = rows.map(({ what, measured, promised, isMet }) => {
    const met = promised === '' ? '' : isMet ? 'yes' : UNMET;
    return [what, measured, promised, met];
  });
  return [['what', 'measured', 'promised', 'met'], ['---', '---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

const atMost = (what: string, value: number, most: number, unit: string): Row => ({
  what,
  measured: `${round(value)} ${unit}`,
  promised: `≤ ${most} ${unit}`,
  isMet: value <= most,
});

const httpRows = (http: HttpResult[]): Row[] =>
  http.map(({ name, perSecond, ratio, p99Ms, floor, timesKnex }) => ({
    what: name,
    measured: [
      `${ratio.toFixed(2)} (${count(perSecond)}/s, p99 ${round(p99Ms)} ms)`,
      ...(timesKnex ? [`${round(timesKnex)} × Koa, Knex and OFFSET`] : []),
    ].join(', '),
    promised: `≥ ${floor.toFixed(2)}`,
    isMet: ratio >= floor && (timesKnex ?? 2) >= 2,
  }));

const mixedRows = (mixed: MixedResult[]): Row[] =>
  mixed.map(({ name, perSecond, whileWriting, floor }) => ({
    what: `${name}, relative to ${count(perSecond)}/s without writes`,
    measured: whileWriting
      .map(({ ratio, writesPerSecond }) => `${ratio.toFixed(2)} at ${writesPerSecond} writes/s`)
      .join(', '),
    promised: floor === undefined ? '' : `≥ ${floor.toFixed(2)}`,
    isMet: whileWriting.every(({ ratio }) => ratio >= (floor ?? 0)),
  }));

function queryRows(databases: DatabaseResults[]): Row[] {
  const smallest = databases[0]!;
  const largest = databases.at(-1)!;
  return largest.queries.map(({ name, p50, p99, growth: most, limitMs, limitP99Ms }, i) => {
    const growth = p50 / smallest.queries[i]!.p50;
    const limits = [limitMs, limitP99Ms].filter(Boolean).join(' / ');
    return {
      what: `query: ${name}, p50 / p99`,
      measured: `${round(p50)} / ${round(p99)} ms, ${growth.toFixed(1)} × that of ${count(smallest.ads)} ads`,
      promised: [most && `≤ ${most} ×`, limits && `≤ ${limits} ms`].filter(Boolean).join(', '),
      isMet: growth <= (most ?? Infinity) && p50 <= (limitMs ?? Infinity) && p99 <= (limitP99Ms ?? Infinity),
    };
  });
}

const clientRows = (databases: DatabaseResults[]): Row[] =>
  databases.map(({ ads, clients, naive }) => ({
    what: `sixteen database clients, ${count(ads)} ads`,
    measured: `${round(clients.perSecond)}/s, ${round(clients.perSecond / naive.perSecond)} × ILIKE and OFFSET`,
    promised: '',
    isMet: true,
  }));

function processRows({ matches, streams, writes, start }: BenchResults): Row[] {
  const { createAd, eightAtOnce, message } = writes;
  return [
    atMost(
      `a new ad against ${count(matches.searches)} saved searches (${count(matches.matches)} match): CPU of PostgreSQL`,
      matches.cpuMs,
      20,
      'ms',
    ),
    atMost(`${count(streams.open)} idle event streams: CPU`, streams.idleCpuPercent, 2, '% of a core'),
    atMost('a message, from POST to the event of its receiver, p50', streams.delivery.p50, 100, 'ms'),
    atMost('the same, p99', streams.delivery.p99, 100, 'ms'),
    atMost('an ad with 5 photos of 1200×900, in the server, p50', createAd.p50, 120, 'ms'),
    atMost('event-loop delay meanwhile, p99', createAd.loopDelayP99Ms, 30, 'ms'),
    atMost('eight such ads at once: growth of memory', eightAtOnce.rssGrowthMb, 150, 'MB'),
    atMost('event-loop delay meanwhile, p99', eightAtOnce.loopDelayP99Ms, 30, 'ms'),
    atMost('a message, in the server, p50', message.p50, 5, 'ms'),
    atMost('start of the server until its first 200', start.serverMs, 1000, 'ms'),
    atMost('memory after the start', start.rssMb, 150, 'MB'),
    ...(start.makeStartMs === undefined
      ? []
      : [atMost('`make start` on a warm checkout until its first page', start.makeStartMs, 3000, 'ms')]),
    atMost('`marketctl version`, relative to `node -e 0`', start.cli.ratio, 2.5, '×'),
  ];
}

/** With a higher load before the first measurement, the machine was not idle. */
const IDLE_LOAD = 0.7;

function toMarkdown(results: BenchResults): string {
  const { at, load, databases, http, mixed } = results;
  const rows = [
    ...httpRows(http),
    ...mixedRows(mixed),
    ...queryRows(databases),
    ...clientRows(databases),
    ...processRows(results),
  ];
  const unmet = rows.filter(({ isMet }) => !isMet).map(({ what }) => what);
  const run = [
    `Measured ${at.slice(0, 16).replace('T', ' ')} UTC on ${availableParallelism()} cores with up to ${count(databases.at(-1)!.ads)} ads;`,
    `load average ${load[0].toFixed(1)} before, ${load[1].toFixed(1)} after.`,
    ...(load[0] > IDLE_LOAD ? ['**The machine had other work**: times are longer than on an idle machine.'] : []),
    unmet.length === 0 ? 'Every promise was met.' : `Not met: ${unmet.join('; ')}.`,
  ];
  return `${run.join(' ')}\n\n${toTable(rows)}`;
}

export const printTable = (results: BenchResults): void => console.log(toMarkdown(results));

export const printRows = ({ http, mixed }: Pick<BenchResults, 'http' | 'mixed'>): void =>
  console.log(toTable([...httpRows(http), ...mixedRows(mixed)]));

/** Inserts the table into docs/PERFORMANCE.md, between its markers. */
export function writeReport(results: BenchResults): void {
  const path = new URL('../../docs/PERFORMANCE.md', import.meta.url);
  const [before, , after] = readFileSync(path, 'utf8').split(/<!-- (?:figures|end) -->/);
  writeFileSync(path, `${before}<!-- figures -->\n\n${toMarkdown(results)}\n\n<!-- end -->${after}`);
}

/** Far short is below this fraction of a promise. Load on the machine explains smaller differences. */
const FAR = 0.35;

/**
 * Returns a sentence for each result that is too slow even for a busy machine. Uses the better of the ratios by time
 * and by CPU time. For lists that were never requested before, uses the ratio to the Knex server, because both wait for
 * PostgreSQL.
 */
export function fallsFarShort({ http, mixed, databases, streams }: BenchResults): string[] {
  const slow = http.filter(({ ratio, cpuRatio, accepted, timesKnex }) =>
    timesKnex === undefined ? Math.max(ratio, cpuRatio || 0) < accepted * FAR : timesKnex < 1,
  );
  const starved = mixed.flatMap(({ name, floor = 0, whileWriting }) =>
    whileWriting
      .filter(({ ratio }) => ratio < floor * FAR)
      .map(
        ({ ratio, writesPerSecond }) =>
          `${name}: ${ratio.toFixed(2)} of the rate without writes at ${writesPerSecond} writes a second, promised are ${floor}`,
      ),
  );
  const crowded = databases.filter(({ clients, naive }) => clients.perSecond < naive.perSecond * 2);
  const late = streams.delivery.p50 > 1000;
  return [
    ...slow.map(({ name, ratio, floor }) => `${name}: ${ratio.toFixed(2)} of bare node:http, promised are ${floor}`),
    ...starved,
    ...crowded.map(({ ads }) => `sixteen clients on ${ads} ads are hardly quicker than ILIKE and OFFSET`),
    ...(late ? [`a message takes ${Math.round(streams.delivery.p50)} ms to its receiver’s stream`] : []),
  ];
}
