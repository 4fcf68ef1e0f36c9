import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { HttpResult } from './measure-http.ts';
import type { ClientsResult, QueryResult } from './queries.ts';
import type { MixedResult } from './reads-while-writing.ts';
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
  /** Load average before and after: above 1 or so, somebody else was at work. */
  load: [number, number];
  databases: DatabaseResults[];
  http: HttpResult[];
  mixed: MixedResult[];
  streams: StreamResults;
  writes: WriteResults;
  start: StartResults;
}

type Cell = string | number;
const round = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
const table = (head: Cell[], rows: Cell[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const UNMET = '**no**';
const verdict = (isMet: boolean) => (isMet ? 'yes' : UNMET);

const httpTable = (http: HttpResult[]): string =>
  table(
    [
      'answer',
      'per second',
      'bare node:http',
      'ratio',
      'by CPU time',
      'promised',
      'met',
      'p50 ms',
      'p99 ms',
      'CPU µs: Node + Postgres',
    ],
    http.map((r) => [
      r.timesKnex ? `${r.name} (${round(r.timesKnex)} × the Knex builder’s)` : r.name,
      Math.round(r.perSecond),
      Math.round(r.barePerSecond),
      r.ratio.toFixed(2),
      r.cpuRatio.toFixed(2),
      r.floor.toFixed(2),
      verdict(r.ratio >= r.floor && (r.timesKnex ?? 2) >= 2),
      round(r.p50Ms),
      round(r.p99Ms),
      `${Math.round(r.cpuMicros)} + ${Math.round(r.postgresMicros)}`,
    ]),
  );

const mixedTable = (mixed: MixedResult[]): string =>
  table(
    [
      'reads',
      'per second without writes',
      ...['20', '50'].map((n) => `ratio at ${n} writes a second`),
      'promised',
      'met',
    ],
    mixed.map(({ name, perSecond, whileWriting, floor }) => [
      name.replace('mixed: ', ''),
      Math.round(perSecond),
      ...whileWriting.map(({ ratio }) => ratio.toFixed(2)),
      floor?.toFixed(2) ?? '',
      floor === undefined ? '' : verdict(whileWriting.every(({ ratio }) => ratio >= floor)),
    ]),
  );

function queryTable({ databases }: BenchResults): string {
  const smallest = databases[0]!;
  const largest = databases.at(-1)!;
  const head = [
    'query',
    ...databases.map(({ ads }) => `${ads.toLocaleString('en-US')} ads: p50 / p99 ms`),
    'growth',
    'promised',
    'met',
  ];
  const rows = largest.queries.map((last, i) => {
    const times = databases.map(({ queries }) => `${round(queries[i]!.p50)} / ${round(queries[i]!.p99)}`);
    const growth = last.p50 / smallest.queries[i]!.p50;
    const limits = [last.limitMs, last.limitP99Ms].filter(Boolean).join(' / ');
    const promised = [last.growth && `≤ ${last.growth} ×`, limits && `≤ ${limits} ms`].filter(Boolean).join(', ');
    const isMet =
      growth <= (last.growth ?? Number.POSITIVE_INFINITY) &&
      last.p50 <= (last.limitMs ?? Number.POSITIVE_INFINITY) &&
      last.p99 <= (last.limitP99Ms ?? Number.POSITIVE_INFINITY);
    return [last.name, ...times, `${growth.toFixed(1)} ×`, promised, promised ? verdict(isMet) : ''];
  });
  return table(head, rows);
}

const clientsTable = ({ databases }: BenchResults): string =>
  table(
    ['ads', 'per second', 'p50 / p99 ms', 'ILIKE and OFFSET: per second', 'p50 / p99 ms', 'times as many'],
    databases.map(({ ads, clients, naive }) => [
      ads.toLocaleString('en-US'),
      round(clients.perSecond),
      `${round(clients.p50)} / ${round(clients.p99)}`,
      round(naive.perSecond),
      `${round(naive.p50)} / ${round(naive.p99)}`,
      round(clients.perSecond / naive.perSecond),
    ]),
  );

function writeTable({ writes, start }: BenchResults): string {
  const { createAd, eightAtOnce, message } = writes;
  const rows: Promised[] = [
    ['an ad with 5 photos of 1200×900, the server’s own time: p50', createAd.p50, 120, 'ms'],
    ['event-loop delay meanwhile: p99', createAd.loopDelayP99Ms, 30, 'ms'],
    ['eight such ads at once: growth of memory', eightAtOnce.rssGrowthMb, 150, 'MB'],
    ['event-loop delay meanwhile: p99', eightAtOnce.loopDelayP99Ms, 30, 'ms'],
    ['a message, the server’s own time: p50', message.p50, 5, 'ms'],
    ['start of the server alone until its first 200', start.serverMs, 1000, 'ms'],
    ['memory after that', start.rssMb, 150, 'MB'],
    ...(start.makeStartMs === undefined ? [] : [makeStartRow(start.makeStartMs)]),
    ['`marketctl version`, beside `node -e 0`', start.cli.ratio, 2.5, '×'],
  ];
  return promiseTable(rows);
}

const makeStartRow = (ms: number): Promised => ['`make start` on a warm checkout until its first page', ms, 3000, 'ms'];

/** What was measured, the most that is promised, and the unit. */
type Promised = [string, number, number, string];

const promiseTable = (rows: Promised[]): string =>
  table(
    ['what', 'measured', 'promised', 'met'],
    rows.map(([name, value, most, unit]) => [
      name,
      `${round(value)} ${unit}`,
      `≤ ${most} ${unit}`,
      verdict(value <= most),
    ]),
  );

const streamTable = ({ streams: { open, idleCpuPercent, delivery } }: BenchResults): string =>
  promiseTable([
    [
      `${open.toLocaleString('en-US')} open streams while nothing is sent: CPU beyond that without them`,
      idleCpuPercent,
      2,
      '% of a core',
    ],
    ['a message, from the call that sends it to the receiver’s stream: p50', delivery.p50, 100, 'ms'],
    ['p99', delivery.p99, 100, 'ms'],
  ]);

/** Said of whatever table it stands in: the first cell of each row whose promise is not met. */
const describeUnmet = (tables: string): string => {
  const names = tables.split('\n').flatMap((line) => (line.includes(UNMET) ? [line.slice(2, line.indexOf(' |'))] : []));
  return names.length === 0 ? 'Every promise below was met.' : `Not met: ${names.join('; ')}.`;
};

/** Above this load before the first measurement the machine had something else to do. */
const IDLE_LOAD = 0.7;

const describeRun = ({ at, load: [before, after] }: BenchResults): string =>
  [
    `Measured ${at.slice(0, 16).replace('T', ' ')} UTC on ${availableParallelism()} cores;`,
    `load average ${before.toFixed(1)} before, ${after.toFixed(1)} after.`,
    ...(before > IDLE_LOAD ? ['**The machine was busy with other work**: times are longer than on an idle one.'] : []),
  ].join(' ');

function toMarkdown(results: BenchResults): string {
  const tables = [
    `### Answers over HTTP\n\n${httpTable(results.http)}`,
    `### Reads while others write\n\n${mixedTable(results.mixed)}`,
    `### Queries, one client\n\n${queryTable(results)}`,
    `### Sixteen clients\n\n${clientsTable(results)}`,
    `### Open streams\n\n${streamTable(results)}`,
    `### Writes and start\n\n${writeTable(results)}`,
  ].join('\n\n');
  return [describeRun(results), describeUnmet(tables), tables].join('\n\n');
}

export const printTable = (results: BenchResults): void => console.log(toMarkdown(results));

/** Some rows alone. */
export function printRows({ http, mixed }: Pick<BenchResults, 'http' | 'mixed'>): void {
  if (http.length > 0) console.log(httpTable(http));
  if (mixed.length > 0) console.log(mixedTable(mixed));
}

/** Puts the figures into docs/PERFORMANCE.md, between its markers. */
export function writeReport(results: BenchResults): void {
  const path = new URL('../../docs/PERFORMANCE.md', import.meta.url);
  const [before, , after] = readFileSync(path, 'utf8').split(/<!-- (?:figures|end) -->/);
  writeFileSync(path, `${before}<!-- figures -->\n\n${toMarkdown(results)}\n\n<!-- end -->${after}`);
}

/** Below this part of a promise a quick run fails: less may be the machine's mood. */
const FAR = 0.35;

/**
 * What is so slow that no busy machine explains it, as sentences. By CPU time where that is kinder; a list that nobody
 * asked for before, by the Knex builder's, since both wait for Postgres.
 */
export function fallsFarShort({ http, mixed, databases, streams }: BenchResults): string[] {
  const slow = http.filter(({ ratio, cpuRatio, floor, timesKnex }) =>
    timesKnex === undefined ? Math.max(ratio, cpuRatio || 0) < floor * FAR : timesKnex < 1,
  );
  const crowded = databases.filter(({ clients, naive }) => clients.perSecond < naive.perSecond * 2);
  const starved = mixed.flatMap(({ name, floor = 0, whileWriting }) =>
    whileWriting.flatMap(({ ratio, writesPerSecond }) =>
      ratio < floor * FAR
        ? [
            `${name}: ${ratio.toFixed(2)} of the rate without writes at ${writesPerSecond} writes a second, promised are ${floor}`,
          ]
        : [],
    ),
  );
  const late = streams.delivery.p50 > 1000;
  return [
    ...slow.map(({ name, ratio, floor }) => `${name}: ${ratio.toFixed(2)} of bare node:http, promised are ${floor}`),
    ...crowded.map(({ ads }) => `sixteen clients on ${ads} ads are hardly quicker than ILIKE and OFFSET`),
    ...starved,
    ...(late ? [`a message takes ${Math.round(streams.delivery.p50)} ms to its receiver’s stream`] : []),
  ];
}
