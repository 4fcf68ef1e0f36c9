/** What visitors of a marketplace request: mostly reading, a fifth of it searches that nobody made before, some writes. */
import { createRandom, drawByWeight } from '../../seeds/demo/random.ts';
import type { AppContext } from '../../server/app-context.ts';
import { createWrite, listWriters, type Writer } from '../bench/reads-while-writing.ts';
import { KINDS, type Kind } from './outcomes.ts';

/** What requests are made from. Plain data, because another process sends them. */
export interface Material {
  host: string;
  hotAds: string[];
  ads: string[];
  categories: string[];
  words: string[];
  images: string[];
  writers: Writer[];
}

const SHARES: Record<Kind, number> = {
  list: 20,
  ad: 18,
  'new search': 20,
  page: 15,
  image: 12,
  'signed in': 11,
  write: 4,
};

/** `writers` people are signed in. The limits of requests hold for each of them. */
export async function readMaterial(app: AppContext, host: string, writers: number): Promise<Material> {
  const { db } = app;
  const listAds = (order: string, limit: number): Promise<string[]> =>
    db('ads').where({ listed: true }).orderByRaw(order).limit(limit).pluck('id');
  const shas = await db('ad_images').distinct<{ sha: string }[]>(db.raw("encode(sha256, 'hex') as sha")).limit(24);
  return {
    host,
    hotAds: await listAds('id desc', 200),
    ads: await listAds('random()', 5000),
    categories: await db('categories').where({ is_disabled: false }).orderBy('position').pluck('slug'),
    words: await db('search_words').orderByRaw('random()').limit(5000).pluck('word'),
    images: shas.map(({ sha }) => `/media/${sha}/thumb.jpg`),
    writers: await listWriters(app, writers),
  };
}

export interface RawRequest {
  kind: Kind;
  bytes: string;
}

/** Creates a function that returns the next request as the bytes of HTTP/1.1. Equal seeds give equal requests. */
export function createTraffic(material: Material, seed: number): () => RawRequest {
  const random = createRandom(seed);
  const drawKind = drawByWeight(KINDS, (kind) => SHARES[kind], random);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

  const drawAd = () => (random() < 0.7 ? pick(material.hotAds) : pick(material.ads));
  const drawCategory = () => (random() < 0.4 ? '' : `?category=${pick(material.categories)}`);
  const drawSearch = () => {
    const low = Math.floor(random() * 30_000) / 100;
    const words = random() < 0.5 ? `&search=${encodeURIComponent(pick(material.words))}` : '';
    const category = random() < 0.3 ? `&category=${pick(material.categories)}` : '';
    return `minPrice=${low}&maxPrice=${(low * (1.5 + random()) + 1).toFixed(2)}${words}${category}`;
  };
  const drawPage = () => {
    const kind = random();
    if (kind < 0.5) return `/ads/${drawAd()}`;
    return kind < 0.9 ? `/${drawCategory()}` : `/?${drawSearch()}`;
  };
  const drawOwnPath = () =>
    pick(['/api/auth/me', '/api/messages/unread-count', '/api/messages/counts', '/api/user/favorite-ids']);
  /** One of 16,256 visitors: each stays below the limits of requests, which are those of production. */
  const drawAddress = () => `10.0.${Math.floor(random() * 64)}.${Math.floor(random() * 254) + 1}`;

  const format = (start: string, fields: string) =>
    `${start} HTTP/1.1\r\nHost: ${material.host}\r\nX-Forwarded-For: ${drawAddress()}\r\nUser-Agent: Mozilla/5.0\r\n` +
    `Accept-Encoding: gzip, deflate, br\r\n${fields}`;
  const get = (path: string, fields = '') => format(`GET ${path}`, `${fields}\r\n`);

  const make: Record<Kind, () => string> = {
    list: () => get(`/api/ads${drawCategory()}`),
    ad: () => get(`/api/ads/${drawAd()}`),
    'new search': () => get(`/api/ads?${drawSearch()}`),
    page: () => get(drawPage(), 'Accept: text/html\r\n'),
    image: () => get(pick(material.images)),
    'signed in': () => get(drawOwnPath(), `Cookie: ${pick(material.writers).cookie}\r\n`),
    write() {
      const { path, cookie, body } = createWrite(material.writers, Math.floor(random() * 1e9));
      const text = JSON.stringify(body);
      return format(
        `POST ${path}`,
        `Cookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
    },
  };
  return () => {
    const kind = drawKind();
    return { kind, bytes: make[kind]() };
  };
}
