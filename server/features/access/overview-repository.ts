import type { AdminUserAccess } from '../../../contract/admin.ts';
import type { Db } from '../../db/pools.ts';

interface OverviewRow {
  passkeys: number;
  passkey_used_at: string | null;
  codes: number;
  tokens: number;
  token_used_at: string | null;
  webhooks: number;
}

/** What lets a person in beside X, and what programs of theirs there are; undefined if they are deleted. */
export const readUserAccess = async (db: Db, userId: string): Promise<AdminUserAccess | undefined> => {
  const { rows } = await db.raw<{ rows: OverviewRow[] }>(
    `select p.count as passkeys, p.used_at as passkey_used_at, t.count as tokens, t.used_at as token_used_at,
       (select count(*)::int from recovery_codes where user_id = u.id) as codes,
       (select count(*)::int from webhooks where user_id = u.id and is_on) as webhooks
     from users u
       cross join lateral (select count(*)::int, max(last_used_at) as used_at from passkeys where user_id = u.id) p
       cross join lateral (select count(*)::int, max(last_used_at) as used_at from access_tokens
         where user_id = u.id and expires_at > now()) t
     where u.id = ? and u.deleted_at is null`,
    [userId],
  );
  const [row] = rows;
  return (
    row && {
      passkeys: { count: row.passkeys, lastUsedAt: row.passkey_used_at },
      recoveryCodes: row.codes,
      accessTokens: { count: row.tokens, lastUsedAt: row.token_used_at },
      webhooks: row.webhooks,
    }
  );
};
