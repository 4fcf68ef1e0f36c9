import { randomBytes } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import knex, { type Knex } from 'knex';
import type { Ad } from '../../contract/ads.ts';
import type { Condition } from '../../contract/conditions.ts';
import type { Role } from '../../contract/user.ts';
import { createPasswords } from '../../server/features/auth/password.ts';
import { PASSWORD } from '../harness/factories.ts';

export const SELLER = '1001';
export const BUYER = '1002';

export const listAds = async (request: APIRequestContext, query = ''): Promise<Ad[]> =>
  (await request.get(`/api/ads${query}`)).json();

const AS_SELLER = { 'Sec-Fetch-Site': 'same-origin', 'X-Test-User': SELLER };

interface MoreOfAd {
  description?: string;
  price?: number;
  priceType?: 'negotiable';
  category?: string;
  condition?: Condition;
  details?: Record<string, string | number>;
  location?: string;
  placeId?: string;
}

export const postAds = async (
  request: APIRequestContext,
  count: number,
  word: string,
  more: MoreOfAd = {},
): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 1; index <= count; index++) {
    const reply = await request.post('/api/ads', {
      headers: { ...AS_SELLER, 'Idempotency-Key': randomBytes(16).toString('hex') },
      data: { title: `${word} no. ${index}`, description: 'For the list', price: index, category: 'other', ...more },
    });
    if (reply.status() !== 201) throw new Error(`${reply.status()}: ${await reply.text()}`);
    ids.push((await reply.json()).id);
  }
  return ids;
};

export const deleteAds = async (request: APIRequestContext, ids: string[]): Promise<void> => {
  for (const id of ids) await request.delete(`/api/ads/${id}`, { headers: AS_SELLER });
};

/** A request as a test user. Throws if it fails. */
export const sendAs = async (request: APIRequestContext, userId: string, path: string, data?: unknown) => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Test-User': userId };
  const reply = data === undefined ? await request.get(path, { headers }) : await request.post(path, { headers, data });
  if (!reply.ok()) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

export const withDatabase = async <T>(work: (db: Knex) => Promise<T>): Promise<T> => {
  const db = knex({ client: 'pg', connection: process.env.E2E_DATABASE_URL ?? '' });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
};

export const createAdmin = (): Promise<string> =>
  withDatabase(async (db) => {
    const login = `admin-${randomBytes(4).toString('hex')}`;
    const [user] = await db('users').insert({ display_name: login, role: 'admin' }).returning('id');
    await db('admin_credentials').insert({
      user_id: user.id,
      login,
      password_hash: await createPasswords().hash(PASSWORD),
    });
    return login;
  });

/** Creates a user that no other test uses, for X-Test-User. */
export const createUser = (displayName: string, role: Role = 'user'): Promise<{ id: string; username: string }> =>
  withDatabase(async (db) => {
    const username = `u_${randomBytes(5).toString('hex')}`;
    const [user] = await db('users').insert({ username, display_name: displayName, role }).returning('id');
    return { id: String(user.id), username };
  });

/** Two years of daily figures, and a year of views of the seller's ads. The server itself counts today and yesterday. */
export const fillFigures = (): Promise<void> =>
  withDatabase(async (db) => {
    await db.raw(`
      insert into daily_figures (kind, day, value, counted_at)
      select kind, day, round((2 + sin(n / 9.0)) * size + n % 7), now()
      from (values ('signups', 9), ('ads', 25), ('messages', 120), ('visits', 640), ('sold', 7), ('revenue', 900), ('reports', 1))
        as kinds (kind, size)
      cross join (select n, current_date - n as day from generate_series(0, 730) n) days
      on conflict (kind, day) do update set value = excluded.value`);
    await db.raw(
      `insert into ad_view_days (ad_id, day, views)
       select id, current_date - n, 1 + (id + n * 7) % 23 from ads cross join generate_series(0, 364, 1) n
       where user_id = ? and state <> 'deleted' on conflict do nothing`,
      [SELLER],
    );
  });

/** Makes accounts older: the reports of new accounts hardly count. */
export const ageAccounts = (usernames: string[], days: number): Promise<void> =>
  withDatabase(async (db) => {
    const created = db.raw("created_at - ? * interval '1 day'", [days]);
    await db('users').whereIn('username', usernames).update({ created_at: created });
  });

/** A word of letters that is unique to this attempt, so that it never finds data of an earlier one. */
export const newWord = (beginning: string): string =>
  beginning + Array.from(randomBytes(6), (byte) => 'bcdfghjkmnpqrtvw'[byte % 16]).join('');
