import { createHash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import type { Role } from '../../../contract/user.ts';
import { deleteInBatches } from '../../db/bulk.ts';
import { type Page, type Paging, toPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { SessionRow } from '../../db/rows.ts';
import type { SessionRenewal } from '../../endpoints/define.ts';
import { selectShutOut } from '../users/repository.ts';

export type SessionKind = SessionRow['kind'];

/** Seconds from start to end of a session (`total`), and without a request (`idle`). */
export const SESSION_SECONDS: Record<SessionKind, { total: number; idle: number }> = {
  start: { total: 900, idle: 900 },
  x: { total: LIMITS.sessionDays * 86_400, idle: LIMITS.sessionIdleDays * 86_400 },
  password: { total: 8 * 3600, idle: 1800 },
};

export interface SessionHolder {
  user_id: string;
  role: Role;
  suspended_until: string | null;
  kind: SessionKind;
  has_blocks: boolean;
  language: string | null;
  time_zone: string | null;
  is_stale: boolean;
}

/** Only the hash is stored: a leaked dump contains no valid cookie. */
export const hashSid = (sid: string): Buffer => createHash('sha256').update(sid).digest();

const idleLimit = Object.entries(SESSION_SECONDS)
  .map(([kind, { idle }]) => `when '${kind}' then interval '${idle} seconds'`)
  .join(' ');
const ALIVE = `s.expires_at > now() and s.last_seen_at > now() - case s.kind ${idleLimit} end`;

/** The user of a live session, who may be suspended. Banned and deleted users have none. */
export async function findSessionHolder(db: Db, sidHash: Buffer): Promise<SessionHolder | undefined> {
  const [holder] = await queryPrepared<SessionHolder>(
    db,
    `select s.user_id, s.kind, u.role, u.suspended_until, u.language, u.time_zone,
       exists (select from blocks where blocker_id = u.id) as has_blocks,
       s.last_seen_at < now() - interval '5 minutes' as is_stale
     from sessions s join users u on u.id = s.user_id
     where s.sid_hash = :sidHash and ${ALIVE} and u.banned_at is null and u.deleted_at is null`,
    { sidHash },
  );
  return holder;
}

/** The sessions of these that are live and whose users are not suspended, by hash in hexadecimal. */
export async function findUnrestrictedSessions(db: Db, sidHashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await db.raw<{ rows: { hash: string }[] }>(
    `select encode(s.sid_hash, 'hex') as hash from sessions s join users u on u.id = s.user_id
     where s.sid_hash = any(?::bytea[]) and ${ALIVE} and not ${selectShutOut('u')} and u.deleted_at is null`,
    [[...sidHashes]],
  );
  return new Set(rows.map(({ hash }) => hash));
}

export async function findSession(db: Db, sidHash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await db.raw<{ rows: SessionRow[] }>(
    `select s.* from sessions s where s.sid_hash = ? and ${ALIVE}`,
    [sidHash],
  );
  return rows[0];
}

type NewSession = Pick<SessionRow, 'sid_hash' | 'user_id' | 'kind' | 'data'> & {
  /** That of the browser; null where the marketplace speaks but one. */
  language?: string | null;
};

/**
 * The database's clock determines when the session ends. Push notifications that belong to the browser's previous session,
 * which may have ended long ago, now belong to this one.
 */
export async function insertSession(
  db: Db,
  { sid_hash, user_id, kind, data, language = null }: NewSession,
  previousHash: Buffer | null = null,
): Promise<void> {
  await db.raw(
    `with moved as (update push_subscriptions set session_hash = :sid_hash where session_hash = :previousHash),
       seen as (update users set seen_language = :language where id = :user_id and seen_language is distinct from :language)
     insert into sessions (sid_hash, user_id, kind, data, expires_at)
     values (:sid_hash, :user_id, :kind, :data, now() + :seconds * interval '1 second')`,
    {
      sid_hash,
      user_id,
      kind,
      data: JSON.stringify(data),
      seconds: SESSION_SECONDS[kind].total,
      previousHash,
      language,
    },
  );
}

/** How long a session's former id is good for requests that were under way when it was renewed. */
const FORMER_SECONDS = 10;

/**
 * Gives a session another id: who knew the former one is out, apart from what is under way. The new one ends when the former one would have.
 */
export async function renewSession(trx: Trx, renewal: SessionRenewal): Promise<void> {
  const { former, next } = renewal;
  await trx.raw(
    `insert into sessions (sid_hash, user_id, kind, data, created_at, last_seen_at, expires_at)
     select :next, user_id, kind, data, created_at, last_seen_at, expires_at from sessions where sid_hash = :former`,
    { former, next },
  );
  await trx.raw('update push_subscriptions set session_hash = :next where session_hash = :former', { former, next });
  await trx.raw(
    `update sessions set expires_at = least(expires_at, now() + interval '${FORMER_SECONDS} seconds') where sid_hash = ?`,
    [former],
  );
  renewal.isStored = true;
}

/** Whether this is the former id of a session, or the session is about to end. */
export const isEnding = async (db: Db, sidHash: Buffer): Promise<boolean> => {
  const ending = db.raw(`now() + interval '${FORMER_SECONDS} seconds'`);
  return (
    (await db('sessions').where({ sid_hash: sidHash }).where('expires_at', '>', ending).first('user_id')) === undefined
  );
};

/** Never inserts: a request that outlives its session must not restore it. */
export async function updateSessionData(db: Db, sidHash: Buffer, data: SessionRow['data']): Promise<void> {
  await db('sessions')
    .where({ sid_hash: sidHash })
    .update({ data: JSON.stringify(data), last_seen_at: db.fn.now() });
}

export async function touchSession(db: Db, sidHash: Buffer, userId: string): Promise<void> {
  await db.raw(
    `with seen as (update sessions set last_seen_at = now() where sid_hash = ? returning user_id)
     update users set last_seen_at = now() from seen where users.id = seen.user_id and users.id = ?`,
    [sidHash, userId],
  );
}

/**
 * Deletes the sessions of a browser that ended or replaced them. Push notifications to that browser end, unless the next
 * session is of the same user.
 */
export async function deleteSessions(db: Db, sidHashes: readonly Buffer[], nextUserId: string | null): Promise<void> {
  await db.raw(
    `with ended as (delete from sessions where sid_hash = any(:hashes::bytea[]))
     delete from push_subscriptions
     where session_hash = any(:hashes::bytea[]) and user_id is distinct from :nextUserId::bigint`,
    { hashes: [...sidHashes], nextUserId },
  );
}

/** Push notifications go on: they belong to the browser, until someone signs out there or another person signs in. */
export const deleteExpiredSessions = (db: Db): Promise<number> =>
  deleteInBatches(db, 'sessions', `not (${ALIVE})`, 1000);

export interface SessionListRow {
  user_id: string | null;
  username: string | null;
  display_name: string | null;
  kind: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  cursor: string;
}

export interface SessionFilter extends Paging {
  userId?: string | undefined;
}

const CURSOR = /^\d{1,16}$/;

export const listSessions = async (db: Db, { userId, cursor, limit }: SessionFilter): Promise<Page<SessionListRow>> => {
  const before = cursor !== undefined && CURSOR.test(cursor) ? cursor : null;
  const { rows } = await db.raw<{ rows: SessionListRow[] }>(
    `select s.user_id, u.username, u.display_name, s.kind, s.created_at, s.last_seen_at, s.expires_at,
       (extract(epoch from s.created_at) * 1000000)::bigint::text as cursor
     from sessions s left join users u on u.id = s.user_id
     where true ${userId ? 'and s.user_id = :userId' : ''}
       ${before ? "and s.created_at < timestamptz 'epoch' + :before * interval '1 microsecond'" : ''}
     order by s.created_at desc limit :limit`,
    { userId: userId ?? null, before, limit: limit + 1 },
  );
  return toPage(rows, limit, (row) => row.cursor);
};

export interface SessionsToEnd {
  userId?: string | undefined;
  startedBefore?: string | undefined;
  /** The hash of a session that stays, with the push notifications of its browser. */
  except?: Buffer | undefined;
}

/**
 * Ends sessions, on every replica once the transaction commits (a trigger publishes it), and push notifications to their
 * browsers, also to those whose session has expired. Returns how many sessions.
 */
export const endSessions = async (trx: Trx, { userId, startedBefore, except }: SessionsToEnd): Promise<number> => {
  const selectFrom = (table: string, hash: string) => {
    const query = trx(table);
    if (except) query.whereRaw('?? is distinct from ?', [hash, except]);
    if (userId) query.where({ user_id: userId });
    if (startedBefore) query.where('created_at', '<', startedBefore);
    return query;
  };
  const ended = await selectFrom('sessions', 'sid_hash').delete().returning<{ sid_hash: Buffer }[]>('sid_hash');
  await selectFrom('push_subscriptions', 'session_hash').delete();
  const hashes = ended.map(({ sid_hash }) => sid_hash);
  await trx('push_subscriptions').whereRaw('session_hash = any(?::bytea[])', [hashes]).delete();
  return ended.length;
};
