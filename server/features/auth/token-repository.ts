import type { Role } from '../../../contract/user.ts';
import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { Tables } from '../../db/tables.ts';
import { selectShutOut } from '../users/repository.ts';

export type TokenRow = Tables['access_tokens'];

/** A live token with its person, who may be suspended. */
export interface TokenHolder extends Pick<TokenRow, 'id' | 'user_id' | 'scopes'> {
  role: Role;
  suspended_until: string | null;
  has_blocks: boolean;
  is_stale: boolean;
}

const ALIVE = 't.expires_at > now()';

/** Banned and deleted people have no token. */
export async function findTokenHolder(db: Db, hash: Buffer): Promise<TokenHolder | undefined> {
  const [holder] = await queryPrepared<TokenHolder>(
    db,
    `select t.id, t.user_id, t.scopes, u.role, u.suspended_until,
       exists (select from blocks where blocker_id = u.id) as has_blocks,
       t.last_used_at is null or t.last_used_at < now() - interval '1 minute' as is_stale
     from access_tokens t join users u on u.id = t.user_id
     where t.token_hash = :hash and ${ALIVE} and u.banned_at is null and u.deleted_at is null`,
    { hash },
  );
  return holder;
}

/** Records a use, at most once a minute: of many requests at once the first one writes. */
export const noteTokenUse = async (db: Db, id: string): Promise<void> => {
  await db.raw(
    `update access_tokens set last_used_at = now()
     where id = ? and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [id],
  );
};

/** Those of these tokens that are live and whose people are not suspended. */
export async function findUnrestrictedTokens(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select t.id from access_tokens t join users u on u.id = t.user_id
     where t.id = any(?::bigint[]) and ${ALIVE} and not ${selectShutOut('u')} and u.deleted_at is null`,
    [[...ids]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A person's tokens, also those that expired lately, newest first. */
export const listTokensOf = (db: Db, userId: string): Promise<TokenRow[]> =>
  db('access_tokens').where({ user_id: userId }).orderBy('id', 'desc').select('*');

export const countLiveTokens = async (trx: Trx, userId: string): Promise<number> => {
  const { rows } = await trx.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from access_tokens t where user_id = ? and ${ALIVE}`,
    [userId],
  );
  return rows[0]!.count;
};

export interface NewToken extends Pick<TokenRow, 'user_id' | 'token_hash' | 'last_four' | 'name' | 'scopes'> {
  days: number;
}

/** The database's clock determines when the token expires. */
export const insertToken = async (trx: Trx, { days, ...token }: NewToken): Promise<TokenRow> => {
  const expires_at = trx.raw("now() + ? * interval '1 day'", [days]);
  const [row] = await trx('access_tokens')
    .insert({ ...token, expires_at })
    .returning<TokenRow[]>('*');
  return row!;
};

/** Undefined if there is none, or it is another person's than `userId`. */
export const deleteToken = async (
  trx: Trx,
  { id, userId }: { id: string; userId?: string | undefined },
): Promise<TokenRow | undefined> => {
  const [row] = await trx('access_tokens')
    .where({ id, ...(userId !== undefined && { user_id: userId }) })
    .delete()
    .returning('*');
  return row;
};

/**
 * Ends the tokens of a person, on every replica once the transaction commits (a trigger publishes it). `forStaff`: only
 * those with a staff scope. Returns how many.
 */
export const endTokens = (trx: Trx, userId: string, { forStaff = false } = {}): Promise<number> => {
  const query = trx('access_tokens').where({ user_id: userId });
  if (forStaff) query.whereRaw("exists (select from unnest(scopes) scope where starts_with(scope, 'admin:'))");
  return query.delete();
};

export interface TokenListRow extends Omit<TokenRow, 'token_hash'> {
  username: string | null;
}

export const listTokens = (
  db: Db,
  { userId, ...paging }: Paging & { userId?: string | undefined },
): Promise<Page<TokenListRow>> => {
  const query = db('access_tokens as t')
    .join('users as u', 'u.id', 't.user_id')
    .select('t.id', 't.user_id', 't.last_four', 't.name', 't.scopes', 't.created_at', 't.expires_at', 't.last_used_at')
    .select('u.username');
  if (userId) query.where('t.user_id', userId);
  return readPage(query, paging, { column: 't.id' });
};
