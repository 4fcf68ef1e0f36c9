import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../server/app-context.ts';
import { openSession } from '../harness/sessions.ts';
import { allowManyAds, signIn } from './http-cases.ts';
import { median } from './timing.ts';
import { load } from './wrk.ts';

export interface MixedResult {
  name: string;
  /** Promised minimum ratio to the rate without writes, for every write rate. */
  floor?: number;
  /** Requests per second without writes: the median of the rounds. */
  perSecond: number;
  /**
   * `ratio` compares with the rate without writes, before and after in the same round. Of `writes`, `failedWrites`
   * returned an error.
   */
  whileWriting: { writesPerSecond: number; ratio: number; writes: number; failedWrites: number }[];
}

interface MixedCase {
  name: string;
  floor?: number;
  paths: string[];
  headers?: Record<string, string>;
}

export interface MixedPace {
  rounds: number;
  seconds: number;
}

const WRITES_PER_SECOND = [20, 50];
const CONNECTIONS = 16;
const WRITERS = 20;

export function listPaths(count: number, categories: string[]): string[] {
  return Array.from({ length: count }, (_, i) => {
    const category = categories[i % categories.length];
    return i < categories.length
      ? `/api/ads?category=${category}`
      : `/api/ads?category=${category}&minPrice=${i}&maxPrice=${i * 20}`;
  });
}

async function listMixedCases({ db }: AppContext, cookie: string): Promise<MixedCase[]> {
  const categories: string[] = await db('categories').orderBy('position').pluck('slug');
  const ads: string[] = await db('ads').where({ listed: true }).orderBy('id', 'desc').limit(500).pluck('id');
  return [
    { name: 'mixed: 200 lists', paths: listPaths(200, categories), floor: 0.7 },
    { name: 'mixed: 500 ads', paths: ads.map((id) => `/api/ads/${id}`), floor: 0.7 },
    { name: 'mixed: one hot list', paths: ['/api/ads'], floor: 0.8 },
    { name: 'mixed: GET /', paths: ['/'], headers: { Accept: 'text/html' } },
    { name: 'mixed: GET /api/auth/me, signed in', paths: ['/api/auth/me'], headers: { Cookie: cookie } },
  ];
}

interface Write {
  path: string;
  cookie: string;
  body: object;
}

export interface Writer {
  cookie: string;
  userId: string;
  /** The newest of the writer's ads. */
  adId: string;
}

/** Signs sellers in who write to each other. */
export async function listWriters(app: AppContext, count: number, but = '0'): Promise<Writer[]> {
  const sellers: { id: string; user_id: string }[] = await app
    .db('ads')
    .distinctOn('user_id')
    .where({ listed: true, allow_messages: true })
    .whereNot({ user_id: but })
    .whereIn('user_id', app.db('users').whereNull('banned_at').whereNull('deleted_at').select('id'))
    .orderBy(['user_id', { column: 'id', order: 'desc' }])
    .limit(count)
    .select('user_id', 'id');
  const writers: Writer[] = [];
  for (const { user_id: userId, id: adId } of sellers)
    writers.push({ cookie: await openSession(app, userId), userId, adId });
  return writers;
}

/** Half of the writes are favorites, 30 % messages, 20 % ads. The users take turns. */
export function createWrite(writers: readonly Writer[], serial: number): Write {
  const turn = serial % writers.length;
  const { cookie } = writers[turn]!;
  const { adId, userId: receiverId } = writers[(turn + 1) % writers.length]!;
  const kind = Math.floor(serial / writers.length) % 10;
  if (kind % 2 === 0) return { path: `/api/ads/${adId}/favorite`, cookie, body: {} };
  if (kind === 9 || kind === 3) {
    const body = { title: `Kettle ${serial}`, description: 'Boils water.', price: '15', category: 'appliances' };
    return { path: '/api/ads', cookie, body };
  }
  return { path: '/api/messages', cookie, body: { adId, receiverId, content: `Is it still there? ${serial}` } };
}

interface Writers {
  stop(): Promise<{ writes: number; failed: number }>;
}

/** Sends writes at a fixed rate, regardless of response times. */
function startWriters(url: string, perSecond: number, next: () => Write): Writers {
  const agent = new Agent({ keepAlive: true });
  const pending = new Set<Promise<void>>();
  let [writes, failed] = [0, 0];
  const send = ({ path, cookie, body }: Write) =>
    new Promise<void>((resolve) => {
      const headers = { 'Content-Type': 'application/json', Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
      const fail = () => {
        failed++;
        resolve();
      };
      request(url + path, { method: 'POST', headers, agent }, (response) => {
        if (response.statusCode! >= 300) failed++;
        response.resume().once('close', resolve);
      })
        .once('error', fail)
        .end(JSON.stringify(body));
    });
  const timer = setInterval(() => {
    writes++;
    const sent = send(next()).finally(() => pending.delete(sent));
    pending.add(sent);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      agent.destroy();
      return { writes, failed };
    },
  };
}

/**
 * Measures the cases whose name contains `name`. Each round runs without writes, with each write rate, and without
 * writes again.
 */
export async function measureMixed(
  app: AppContext,
  server: { url: string },
  directory: string,
  { rounds, seconds }: MixedPace,
  { name = '', log = (_: string): void => {} } = {},
): Promise<MixedResult[]> {
  const { cookie, userId } = await signIn(app);
  const cases = (await listMixedCases(app, cookie)).filter((test) => test.name.includes(name));
  if (cases.length === 0) return [];
  await allowManyAds(app);
  const people = await listWriters(app, WRITERS, userId);
  let serial = 0;
  const results: MixedResult[] = [];
  for (const { paths, headers, ...test } of cases) {
    log(test.name);
    const read = async (time: number) => {
      const target = { url: server.url + paths[0], headers, connections: CONNECTIONS };
      const { perSecond, failed } = await load(paths.length > 1 ? { ...target, paths } : target, time, directory);
      if (failed > 0) throw new Error(`${test.name}: ${failed} reads failed`);
      return perSecond;
    };
    const alone: number[] = [];
    const whileWriting = WRITES_PER_SECOND.map((writesPerSecond) => ({
      writesPerSecond,
      ratios: [] as number[],
      writes: 0,
      failedWrites: 0,
    }));
    // The first requests of a kind are slower because the code is not optimized yet.
    await read(seconds);
    for (let round = 0; round < rounds; round++) {
      const before = await read(seconds);
      const rates: number[] = [];
      for (const sum of whileWriting) {
        const writers = startWriters(server.url, sum.writesPerSecond, () => createWrite(people, serial++));
        // Wait until the first writes take effect.
        await sleep(200);
        rates.push(await read(seconds));
        const { writes, failed } = await writers.stop();
        sum.writes += writes;
        sum.failedWrites += failed;
      }
      const base = (before + (await read(seconds))) / 2;
      alone.push(base);
      for (const [i, { ratios }] of whileWriting.entries()) ratios.push(rates[i]! / base);
    }
    results.push({
      ...test,
      perSecond: median(alone),
      whileWriting: whileWriting.map(({ ratios, ...sum }) => ({ ...sum, ratio: median(ratios) })),
    });
  }
  return results;
}
