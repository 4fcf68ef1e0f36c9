import sharp from 'sharp';
import type { AppContext } from '../../server/app-context.ts';
import { makePhoto, toDataUrl } from '../harness/photos.ts';
import { readCpuSeconds } from './cpu.ts';
import { allowManyAds, signIn } from './http-cases.ts';
import type { MeasuredServer } from './measured-server.ts';
import { summarize, type Timing, time, WARM_UPS } from './timing.ts';

export interface WriteResults {
  createAd: Timing & { bodyMb: number; loopDelayP99Ms: number; cpuMs: number };
  eightAtOnce: Timing & { rssGrowthMb: number; loopDelayP99Ms: number };
  message: Timing;
}

export interface WriteRuns {
  ads: number;
  rounds: number;
  messages: number;
}

const AT_ONCE = 8;
// The server creates link-preview images after the response. Users do not post the next ad that quickly.
const BETWEEN_ADS_MS = 300;

/**
 * Posts ads with five photos as the browser resizes them, one at a time and eight concurrently, then messages. For
 * single ads, only the server's own time counts: the client creates and sends the body on the same machine.
 */
export async function measureWrites(app: AppContext, server: MeasuredServer, runs: WriteRuns): Promise<WriteResults> {
  await allowManyAds(app);
  const { cookie, userId } = await signIn(app);
  const send = (path: string, body: string) => post(server.url + path, cookie, body);
  const bodies = await makeAds(1 + WARM_UPS + runs.ads + AT_ONCE * runs.rounds);
  let sent = 0;
  const createAd = () => send('/api/ads', bodies[sent++]!);
  await createAd();
  await server.probe();

  const cpu = readCpuSeconds(server.pid);
  await time(runs.ads, createAd, BETWEEN_ADS_MS);
  const cpuMs = ((readCpuSeconds(server.pid) - cpu) / (runs.ads + WARM_UPS)) * 1000;
  const { loopDelayP99Ms, rssMb, postMs } = await server.probe();
  const alone = summarize(postMs.slice(WARM_UPS));
  const together: number[] = [];
  for (let round = 0; round < runs.rounds; round++)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const started = performance.now();
        await createAd();
        together.push(performance.now() - started);
      }),
    );
  const crowded = await server.probe();
  const other = await app
    .db('ads')
    .where({ listed: true, allow_messages: true })
    .whereNot({ user_id: userId })
    .orderBy('id', 'desc')
    .first('id', 'user_id');
  const message = JSON.stringify({ adId: other.id, receiverId: other.user_id, content: 'Is this still available?' });
  await time(runs.messages, () => send('/api/messages', message));
  const { postMs: messageMs } = await server.probe();
  return {
    createAd: { ...alone, bodyMb: bodies[0]!.length / 1e6, loopDelayP99Ms, cpuMs },
    eightAtOnce: {
      ...summarize(together),
      rssGrowthMb: crowded.peakRssMb - rssMb,
      loopDelayP99Ms: crowded.loopDelayP99Ms,
    },
    message: summarize(messageMs.slice(WARM_UPS)),
  };
}

/**
 * Ads with five photos, each slightly brighter than the last, because the server does not store an existing image
 * again. Like the browser's photos, they are JPEGs of quality 80, sharpened to a similar size.
 */
async function makeAds(count: number): Promise<string[]> {
  const photos = await Promise.all([1, 2, 3, 4, 5].map((seed) => makePhoto({ seed, width: 1200, height: 900 })));
  const shoot = (photo: Buffer, brighter: number) =>
    sharp(photo).linear(1, brighter).sharpen({ sigma: 1 }).keepMetadata().jpeg({ quality: 80 }).toBuffer();
  const ads: string[] = [];
  for (let brighter = 0; brighter < count; brighter++) {
    const taken = await Promise.all(photos.map((photo) => shoot(photo, brighter)));
    const imageUrls = taken.map((photo) => toDataUrl(photo));
    const text = { title: `Five photographs ${brighter}`, description: 'Posted by the benchmark.', price: '12' };
    ads.push(JSON.stringify({ ...text, category: 'furniture', imageUrls }));
  }
  return ads;
}

export async function post(url: string, cookie: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}
