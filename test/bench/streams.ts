import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamMessages } from '../../contract/messages.ts';
import type { AppContext } from '../../server/app-context.ts';
import { openSession } from '../harness/sessions.ts';
import { signIn } from './http-cases.ts';
import type { MeasuredServer } from './measured-server.ts';
import { summarize, type Timing } from './timing.ts';
import { post } from './writes.ts';

export interface StreamResults {
  open: number;
  /** Percent of one core that the idle streams add. */
  idleCpuPercent: number;
  rssGrowthMb: number;
  /** From the POST of a message to the event on its receiver's stream. */
  delivery: Timing;
}

interface Listening {
  userId: string;
  adId: string;
  request: ClientRequest;
  next(): Promise<void>;
}

async function listen(app: AppContext, url: string, { user_id: userId, id: adId }: Seller): Promise<Listening> {
  const headers = { Cookie: await openSession(app, userId) };
  const request = get(url + streamMessages.path, { headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`stream refused: ${response.statusCode}`);
  request.on('error', () => {});
  response.on('error', () => {}).setEncoding('utf8');
  const next = () =>
    new Promise<void>((resolve) => {
      const listener = (text: string) => {
        if (!text.includes('event: message')) return;
        response.off('data', listener);
        resolve();
      };
      response.on('data', listener);
    });
  response.resume();
  return { userId, adId, request, next };
}

interface Seller {
  user_id: string;
  id: string;
}

const findSellers = (app: AppContext, but: string, count: number): Promise<Seller[]> =>
  app
    .db('ads')
    .distinctOn('user_id')
    .where({ listed: true, allow_messages: true })
    .whereNot({ user_id: but })
    .whereIn('user_id', app.db('users').whereNull('banned_at').whereNull('deleted_at').select('id'))
    .orderBy(['user_id', { column: 'id', order: 'desc' }])
    .limit(count)
    .select('user_id', 'id');

async function measureIdle(server: MeasuredServer, seconds: number): Promise<number> {
  // Wait for earlier work to finish.
  await sleep(2000);
  const { cpuSeconds: before } = await server.probe();
  await sleep(seconds * 1000);
  const { cpuSeconds: after } = await server.probe();
  return ((after - before) / seconds) * 100;
}

/** Measures a thousand users with an open page: the idle cost, and the delay of a message. */
export async function measureStreams(app: AppContext, server: MeasuredServer, seconds: number): Promise<StreamResults> {
  const { cookie, userId } = await signIn(app);
  const withoutPercent = await measureIdle(server, seconds);
  const before = await server.probe();
  const listening: Listening[] = [];
  for (const seller of await findSellers(app, userId, 1000)) listening.push(await listen(app, server.url, seller));
  const withPercent = await measureIdle(server, seconds);
  const { rssMb } = await server.probe();

  const times: number[] = [];
  for (const { userId: receiverId, adId, next } of listening.slice(0, 200)) {
    const delivered = next();
    const started = performance.now();
    await post(`${server.url}/api/messages`, cookie, JSON.stringify({ adId, receiverId, content: 'Hello' }));
    await delivered;
    times.push(performance.now() - started);
    await sleep(50);
  }
  for (const { request } of listening) request.destroy();
  return {
    open: listening.length,
    idleCpuPercent: Math.max(0, withPercent - withoutPercent),
    rssGrowthMb: rssMb - before.rssMb,
    delivery: summarize(times),
  };
}
