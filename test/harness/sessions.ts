import type { Config } from '../../server/config/load.ts';
import type { Db } from '../../server/db/pools.ts';
import { hashSid, insertSession, type SessionKind } from '../../server/features/auth/session-repository.ts';
import { SESSION_COOKIE } from '../../server/http/request/request-info.ts';
import { createKeygrip, newSid } from '../../server/http/session/session.ts';

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
