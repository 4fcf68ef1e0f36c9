import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePhoto, toDataUrl } from '../harness/photos.ts';
import type { Writer } from './writes.ts';

export interface Gallery {
  missing: string[];
  /** Posts an ad with a new photo. Returns the URLs of the photo and its thumbnail. */
  post(): Promise<string[]>;
  whilePosting(work: () => Promise<unknown>): Promise<void>;
  findMissing(): Promise<string[]>;
}

export function openGallery(origin: string, { cookie }: Writer): Gallery {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const posted: string[] = [];
  const missing: string[] = [];
  const ask = (path: string, method = 'GET', body?: unknown) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie };
      const call = request(origin + path, { agent, method, headers }, (answer) => {
        let text = '';
        answer
          .on('data', (chunk) => (text += chunk))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
          .on('error', reject);
      });
      call.on('error', reject).end(body && JSON.stringify(body));
    });
  const gallery: Gallery = {
    missing,
    async post() {
      const photo = toDataUrl(await makePhoto({ width: 200, height: 150, seed: posted.length + 1 }));
      const ad = {
        title: `Pictured ${posted.length}`,
        description: 'See.',
        price: '5',
        category: 'other',
        imageUrls: [photo],
      };
      const { status, text } = await ask('/api/ads', 'POST', ad);
      if (status !== 201) throw new Error(`posting a picture: ${status} ${text}`);
      const [image] = JSON.parse(text).images;
      posted.push(image.url);
      return [image.url, image.thumbUrl];
    },
    async whilePosting(work) {
      let done = false;
      const working = work().finally(() => {
        done = true;
      });
      for (; !done; await sleep(300)) {
        const paths = await gallery.post();
        // Caddy sends each of two concurrent requests to the less busy replica.
        const looks = await Promise.all([...paths, ...paths].map((path) => ask(path)));
        missing.push(...looks.flatMap(({ status }, i) => (status === 200 ? [] : [`${paths[i % 2]}: ${status}`])));
      }
      await working;
    },
    async findMissing() {
      const looks = await Promise.all([...posted, ...posted].map(async (path) => ({ path, ...(await ask(path)) })));
      return looks.filter(({ status }) => status !== 200).map(({ path, status }) => `${path}: ${status}`);
    },
  };
  return gallery;
}
