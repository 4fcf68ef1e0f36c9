import { createRandom } from '../../seeds/demo/random.ts';
import type { AppContext } from '../../server/app-context.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { hashSid, insertSession } from '../../server/features/sessions/session-repository.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../server/features/settings/repository.ts';
import { SESSION_COOKIE } from '../../server/http/request/request-info.ts';
import { createKeygrip, newSid } from '../../server/http/session/session.ts';

export interface HttpCase {
  name: string;
  path: string;
  headers?: Record<string, string>;
  paths?: string[];
  /** The baseline responds with 304 too. */
  isConditional?: boolean;
  /** Requested from a server without an image cache. */
  isFromDisk?: boolean;
  againstKnex?: boolean;
  /** Promised ratio to node:http with the same bytes. */
  floor: number;
  /** The lower ratio that docs/adr/0009-one-response-cache.md accepts: `floor` stays unmet, but a quick run goes on. */
  accepted?: number;
}

/** A benchmark posts more ads than a new account may. */
export async function allowManyAds({ db }: AppContext): Promise<void> {
  const value = JSON.stringify({ newAccountAdsPerDay: 0 });
  await db('settings').insert({ key: 'platform', value }).onConflict('key').ignore();
}

/** A few accounts write everything here; the limits against spam would refuse it. */
export const switchSpamLimitsOff = (app: AppContext): Promise<void> => {
  const limits = { newAccountAdsPerDay: 0, newConversationsPerHour: 0, sameTextPeople: 0 };
  return inTransaction(app.db, (trx) => writeSettings(trx, { ...DEFAULT_SETTINGS, ...limits }, null));
};

export async function signIn(app: AppContext): Promise<{ cookie: string; userId: string }> {
  const { user_id: userId } = await app
    .db('messages as m')
    .join('users as u', 'u.id', 'm.receiver_id')
    .first('u.id as user_id');
  const sid = newSid();
  await insertSession(app.db, { sid_hash: hashSid(sid), user_id: userId, kind: 'x', data: {} });
  const cookie = `${SESSION_COOKIE}=${sid}; ${SESSION_COOKIE}.sig=${createKeygrip(app.config).sign(`${SESSION_COOKIE}=${sid}`)}`;
  return { cookie, userId };
}

/** Different lists: each has its own price range, some a category. */
export function unseenLists(count: number): string[] {
  const random = createRandom(Date.now());
  const categories = ['', '', '', '&category=furniture', '&category=books', '&category=vehicles'];
  return Array.from({ length: count }, () => {
    const low = Math.floor(random() * 30_000) / 100;
    const category = categories[Math.floor(random() * categories.length)];
    return `/api/ads?minPrice=${low}&maxPrice=${(low * (1.5 + random())).toFixed(2)}${category}`;
  });
}

export async function listHttpCases(app: AppContext): Promise<HttpCase[]> {
  const { cookie } = await signIn(app);
  const [ad] = await app.db('ads').where({ listed: true }).orderBy('id', 'desc').limit(1).pluck('id');
  const thumbs = await app
    .db('ad_images')
    .distinct<{ sha: string }[]>(app.db.raw("encode(sha256, 'hex') as sha"))
    .limit(24);
  const pictures = thumbs.map(({ sha }) => `/media/${sha}/thumb.jpg`);
  const session = { Cookie: cookie };
  return [
    { name: 'GET /api/ads, hot', path: '/api/ads', floor: 0.6 },
    { name: 'GET /api/ads, hot, brotli', path: '/api/ads', headers: { 'Accept-Encoding': 'br' }, floor: 0.6 },
    { name: 'GET /api/ads, 304', path: '/api/ads', isConditional: true, floor: 0.4 },
    { name: 'GET /api/auth/me, signed in', path: '/api/auth/me', headers: session, floor: 0.2, accepted: 0.05 },
    {
      name: 'GET unread count, signed in',
      path: '/api/messages/unread-count',
      headers: session,
      floor: 0.2,
      accepted: 0.05,
    },
    { name: 'GET /api/ads/{id}, hot', path: `/api/ads/${ad}`, floor: 0.6 },
    { name: 'GET /api/categories/stats, hot', path: '/api/categories/stats', floor: 0.6 },
    { name: 'GET /api/stats, hot', path: '/api/stats', floor: 0.6 },
    {
      name: 'GET /api/ads, filters never seen',
      path: '/api/ads',
      paths: unseenLists(20_000),
      againstKnex: true,
      floor: 0.07,
    },
    { name: 'thumbnails from memory', path: pictures[0]!, paths: pictures, floor: 0.25 },
    { name: 'thumbnails from disk', path: pictures[0]!, paths: pictures, isFromDisk: true, floor: 0.25 },
    { name: 'GET /, the page with its data', path: '/', headers: { Accept: 'text/html' }, floor: 0.3 },
  ];
}
