import { SCOPE_NAMES, type Scope } from '../../contract/scopes.ts';
import type { Config } from '../../server/config/load.ts';
import { variables } from '../../server/config/schema.ts';
import type { Db } from '../../server/db/pools.ts';
import { insertToken } from '../../server/features/auth/token-repository.ts';
import { createTokenText, hashToken } from '../../server/features/auth/token-text.ts';
import { hashSid, insertSession, type SessionKind } from '../../server/features/sessions/session-repository.ts';
import { toWriteMark } from '../../server/http/request/read-your-writes.ts';
import { SESSION_COOKIE } from '../../server/http/request/request-info.ts';
import { createKeygrip, newSid } from '../../server/http/session/session.ts';

/** The cookie of a client that has just written and never stops: it reads past all caches. */
export const JUST_WROTE = toWriteMark({ sessionKeys: [variables.sessionKeys.default] }, 9_999_999_999_999);

interface Signer {
  db: Db;
  config: Pick<Config, 'sessionKeys'>;
}

/** Starts a session of this user. Returns the header `Cookie` of its browser. */
export async function openSession({ db, config }: Signer, userId: string, kind: SessionKind = 'x'): Promise<string> {
  const sid = newSid();
  await insertSession(db, { sid_hash: hashSid(sid), user_id: userId, kind, data: {} });
  return `${SESSION_COOKIE}=${sid}; ${SESSION_COOKIE}.sig=${createKeygrip(config).sign(`${SESSION_COOKIE}=${sid}`)}`;
}

/** Makes an access token of this user, of whatever role. Returns the header `Authorization` of their program. */
export async function openToken(
  { db }: Pick<Signer, 'db'>,
  user_id: string,
  scopes: Scope[] = SCOPE_NAMES,
): Promise<string> {
  const token = createTokenText();
  const row = { user_id, token_hash: hashToken(token), last_four: token.slice(-4), name: 'Program', scopes, days: 1 };
  await db.transaction((trx) => insertToken(trx, row));
  return `Bearer ${token}`;
}
