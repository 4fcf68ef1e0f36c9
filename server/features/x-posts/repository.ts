import type { PriceType } from '../../../contract/prices.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import { selectShutOut } from '../users/repository.ts';

export type XPostRow = Tables['x_posts'];

const posts = (db: Db) => db<XPostRow>('x_posts');

export type NewPost = Pick<XPostRow, 'user_id' | 'kind' | 'ad_id' | 'body'>;

/** Inserts the only post of this user, kind and ad. Undefined if it exists. */
export const insertPost = async (trx: Trx, post: NewPost): Promise<string | undefined> => {
  const [row] = await posts(trx).insert(post).onConflict(['user_id', 'kind', 'ad_id']).ignore().returning('id');
  return row?.id;
};

/** Posts of the last 24 hours that count against the caps: by this user, and of favorites of this ad. */
export const countRecentPosts = async (
  trx: Trx,
  userId: string,
  adId: string,
): Promise<{ user: number; ad: number }> => {
  // serialises counts of one user's posts and of posts about one ad
  for (const whose of [`user ${userId}`, `ad ${adId}`])
    await trx.raw("select pg_advisory_xact_lock(hashtextextended('x posts of ' || ?, 0))", [whose]);
  const { rows } = await trx.raw<{ rows: { user: number; ad: number }[] }>(
    `select (select count(*)::int from x_posts
              where user_id = :userId and status <> 'skipped' and created_at > now() - interval '1 day') as user,
            (select count(*)::int from x_posts
              where ad_id = :adId and kind = 'favorite' and status <> 'skipped'
                and created_at > now() - interval '1 day') as ad`,
    { userId, adId },
  );
  return rows[0]!;
};

export const lockPost = (trx: Trx, id: string): Promise<XPostRow | undefined> =>
  posts(trx).where({ id }).forUpdate().first();

export const lockPostOfAd = (trx: Trx, userId: string, adId: string): Promise<XPostRow | undefined> =>
  posts(trx).where({ user_id: userId, ad_id: adId, kind: 'ad' }).forUpdate().first();

export type PostChange = Partial<Omit<XPostRow, 'id' | 'created_at' | 'updated_at'>>;

export const updatePost = async (trx: Trx, id: string, change: PostChange): Promise<void> => {
  await posts(trx)
    .where({ id })
    .update({ ...change, updated_at: trx.fn.now() });
};

export interface DispatchContext {
  is_user_shut_out: boolean;
  user_deleted: boolean;
  ad_state: string;
  is_sold: boolean;
  seller_banned: boolean;
  is_favorite: boolean;
  title: string;
  price: string;
  price_type: PriceType;
}

export const readDispatchContext = async (trx: Trx, post: XPostRow): Promise<DispatchContext> => {
  const { rows } = await trx.raw<{ rows: DispatchContext[] }>(
    `select ${selectShutOut('u')} as is_user_shut_out, u.deleted_at is not null as user_deleted, a.is_sold,
            a.title, a.price, a.price_type,
            case when seller.deleted_at is null then a.state else 'deleted' end as ad_state,
            ${selectShutOut('seller')} as seller_banned,
            exists (select 1 from favorites f where f.user_id = u.id and f.ad_id = a.id) as is_favorite
     from users u, ads a join users seller on seller.id = a.user_id where u.id = ? and a.id = ?`,
    [post.user_id, post.ad_id],
  );
  return rows[0]!;
};

export const findSellerOfAd = async (db: Db, adId: string): Promise<string | undefined> =>
  (await db<{ id: string; user_id: string }>('ads').where({ id: adId }).first('user_id'))?.user_id;

export interface PostDetails extends XPostRow {
  username: string | null;
}

export const listPostsOfAd = (db: Db, adId: string, only?: { userId: string }): Promise<PostDetails[]> => {
  const query = db('x_posts as p').join('users as u', 'u.id', 'p.user_id').where('p.ad_id', adId);
  if (only) query.where({ 'p.user_id': only.userId, 'p.kind': 'ad' });
  return query.orderBy('p.id').limit(100).select<PostDetails[]>('p.*', 'u.username');
};

export const readPostTotals = async (db: Db): Promise<Record<string, number>> => {
  const { rows } = await db.raw<{ rows: Record<string, number>[] }>(
    `select count(*) filter (where status in ('pending', 'sending'))::int as "xPostsWaiting",
            count(*) filter (where status = 'posted')::int as "xPostsPosted",
            count(*) filter (where status = 'failed')::int as "xPostsFailed",
            count(*) filter (where status = 'skipped')::int as "xPostsSkipped",
            count(*) filter (where status = 'unknown')::int as "xPostsUnknown",
            coalesce(sum(cost_usd), 0)::float8 as "xSpendUsd",
            (select count(*) from settings where key = ?)::int as "xPostingStopped"
     from x_posts`,
    [CIRCUIT_KEY],
  );
  return rows[0]!;
};

export const countWaitingPosts = (db: Db): Promise<number> =>
  countRows(posts(db).whereIn('status', ['pending', 'sending']));

/** Locks the posts that wait for the circuit with this reason, oldest first. */
export const listStoppedPosts = (trx: Trx, reason: string): Promise<string[]> =>
  posts(trx).where({ status: 'pending', error: reason }).orderBy('id').forUpdate().pluck('id');

/** These posts no longer wait for a time. */
export const resetWait = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await trx('x_posts').whereIn('id', ids).update({ next_attempt_at: null, error: null, updated_at: trx.fn.now() });
};

/** Ends attempts whose sender died before it recorded an outcome. Returns the ids of the posts. */
export const failLostAttempts = async (trx: Trx, seconds: number): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `update x_posts set status = 'unknown', is_ambiguous = true, error = 'interrupted', updated_at = now()
     where status = 'sending' and updated_at < now() - ? * interval '1 second' returning id`,
    [seconds],
  );
  return rows.map((row) => row.id);
};

/** Posts that are due without a job, and whose ad is not in review: the job died, or the ad has passed review. */
export const listUnqueuedPosts = async (trx: Trx, seconds: number): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select p.id from x_posts p join ads a on a.id = p.ad_id
     where p.status = 'pending' and a.state <> 'pending'
       and greatest(p.updated_at, p.next_attempt_at) < now() - ? * interval '1 second'
     order by p.id limit 100`,
    [seconds],
  );
  return rows.map((row) => row.id);
};

export type XAccountRow = Tables['x_accounts'];

const accounts = (db: Db) => db<XAccountRow>('x_accounts');

export const findAccount = (db: Db, userId: string): Promise<XAccountRow | undefined> =>
  accounts(db).where({ user_id: userId }).first();

/** Locks the account, which serialises decisions about consent, caps and tokens. */
export const lockAccount = (trx: Trx, userId: string): Promise<XAccountRow | undefined> =>
  accounts(trx).where({ user_id: userId }).forUpdate().first();

/** Allows a lock to be awaited and held during a call to X, which may take ten seconds. */
export const extendLockTimeout = async (trx: Trx): Promise<void> => {
  await trx.raw(`set local lock_timeout = '60s'; set local statement_timeout = '60s';
    set local idle_in_transaction_session_timeout = '60s'`);
};

export type AccountLink = Pick<
  XAccountRow,
  'user_id' | 'x_id' | 'env' | 'access_token' | 'refresh_token' | 'token_key_id' | 'scopes'
>;

export const saveLink = async (trx: Trx, link: AccountLink, seconds: number): Promise<void> => {
  const row = { ...link, status: 'ok', access_expires_at: inSeconds(trx, seconds), updated_at: trx.fn.now() };
  await trx('x_accounts').insert(row).onConflict('user_id').merge(row);
};

export const saveTokens = async (
  trx: Trx,
  userId: string,
  tokens: Pick<AccountLink, 'access_token' | 'refresh_token' | 'token_key_id' | 'scopes'>,
  seconds: number,
): Promise<void> => {
  const times = { access_expires_at: inSeconds(trx, seconds), updated_at: trx.fn.now() };
  await trx('x_accounts')
    .where({ user_id: userId })
    .update({ ...tokens, ...times });
};

export const setAccountStatus = async (db: Db, userId: string, status: XAccountRow['status']): Promise<void> => {
  await db('x_accounts').where({ user_id: userId }).update({ status, updated_at: db.fn.now() });
};

export type ConsentColumn = 'autopost_ads_at' | 'autopost_favorites_at';

export const setConsent = async (trx: Trx, userId: string, column: ConsentColumn, agreed: boolean): Promise<void> => {
  const value = agreed ? trx.raw('coalesce(??, now())', [column]) : null;
  await trx('x_accounts')
    .where({ user_id: userId })
    .update({ [column]: value, updated_at: trx.fn.now() });
};

export const deleteAccount = async (trx: Trx, userId: string): Promise<void> => {
  await trx('x_accounts').where({ user_id: userId }).delete();
};

export const rememberChoice = async (trx: Trx, userId: string, wantsPost: boolean): Promise<void> => {
  await trx('users').where({ id: userId, post_to_x: !wantsPost }).update({ post_to_x: wantsPost });
};

const inSeconds = (db: Db, seconds: number) => db.raw("now() + ? * interval '1 second'", [seconds]);

/** The open circuit: X accepts no posts from the whole site, for example because its credits ran out. */
export interface CircuitBreaker {
  reason: string;
  since: string;
  until: string;
  nextWait: number;
}

const CIRCUIT_KEY = 'x-posting-stop';
const FIRST_WAIT_S = 3600;
const LONGEST_WAIT_S = 6 * 3600;
const PROBE_MS = 3 * 60_000;

export const findOpenCircuit = async (db: Db): Promise<CircuitBreaker | undefined> =>
  (await db('settings').where({ key: CIRCUIT_KEY }).first('value'))?.value;

/** Locks the open circuit: of many concurrent posts, one becomes the probe. */
export const lockCircuit = async (trx: Trx): Promise<CircuitBreaker | undefined> =>
  (await trx('settings').where({ key: CIRCUIT_KEY }).forUpdate().first('value'))?.value;

/** Opens the circuit, for an hour at first and at most six. */
export const openCircuit = async (db: Db, reason: string, now: Date): Promise<CircuitBreaker> => {
  const before = await findOpenCircuit(db);
  const wait = before?.nextWait ?? FIRST_WAIT_S;
  const circuit: CircuitBreaker = {
    reason,
    since: before?.since ?? now.toISOString(),
    until: new Date(now.valueOf() + wait * 1000).toISOString(),
    nextWait: Math.min(wait * 2, LONGEST_WAIT_S),
  };
  const row = { value: JSON.stringify(circuit), updated_at: db.fn.now() };
  await db('settings')
    .insert({ key: CIRCUIT_KEY, ...row })
    .onConflict('key')
    .merge(row);
  return circuit;
};

export const closeCircuit = async (db: Db): Promise<boolean> =>
  (await db('settings').where({ key: CIRCUIT_KEY }).delete()) === 1;

/** Delays the other posts by a few minutes, until the probe ends. */
export const probeCircuit = async (db: Db, circuit: CircuitBreaker, now: Date): Promise<void> => {
  const until = new Date(now.valueOf() + PROBE_MS).toISOString();
  await db('settings')
    .where({ key: CIRCUIT_KEY })
    .update({ value: JSON.stringify({ ...circuit, until }) });
};
