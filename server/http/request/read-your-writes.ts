import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import { isCutOff } from '../../db/prepared.ts';
import { MAX_LAG_MS } from '../../db/replica.ts';
import { withDatabase } from '../../db/transaction.ts';
import { toAppError } from '../response/app-error.ts';
import { hasToken, readCookie } from './request-info.ts';

const COOKIE = 'wrote';
/** The maximum age of cached responses from before the write, plus a second for the network. */
const CACHE_SECONDS = 2;
/** The maximum replica lag, plus the second between two checks of it, plus one for the network. */
const REPLICA_SECONDS = MAX_LAG_MS / 1000 + 2;

type Keys = Pick<Config, 'sessionKeys'>;

const MARK = /^(\d{13})\.([\w-]{43})$/;

const sign = (key: string, until: string): string =>
  createHmac('sha256', key).update(`${COOKIE}=${until}`).digest('base64url');

/** The cookie of a client that has just written. Signed, because it passes by the caches: nobody else may send it. */
export const toWriteMark = ({ sessionKeys }: Keys, until: number): string =>
  `${COOKIE}=${until}.${sign(sessionKeys[0] ?? '', String(until))}`;

/** After a write: for some seconds every process reads for this client from the primary and bypasses caches. */
export function markWrite(ctx: Context, { config }: Pick<AppContext, 'config'>): void {
  if (ctx.status >= 400) return;
  const seconds = config.databaseReplicaUrl ? REPLICA_SECONDS : CACHE_SECONDS;
  const secure = config.isHttps ? '; Secure' : '';
  const mark = toWriteMark(config, Date.now() + seconds * 1000);
  ctx.append('Set-Cookie', `${mark}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}

/** A program keeps no cookie, so a request with an access token counts as one just after a write. */
export function hasJustWritten(request: Pick<IncomingMessage, 'url' | 'headers'>, { sessionKeys }: Keys): boolean {
  if (hasToken(request)) return true;
  const { headers } = request;
  const [, until = '', signature = ''] = MARK.exec(readCookie(headers.cookie, COOKIE) ?? '') ?? [];
  if (until === '' || Number(until) < Date.now()) return false;
  return sessionKeys.some((key) => timingSafeEqual(Buffer.from(sign(key, until)), Buffer.from(signature)));
}

/**
 * Runs `read` on the primary without caches after a write, else on the replica. Repeats a query on the primary if it
 * fails on the replica.
 */
export async function withReads<T>(
  ctx: Context,
  appContext: AppContext,
  read: (appContext: AppContext) => Promise<T>,
): Promise<T> {
  const { db } = appContext;
  if (hasJustWritten(ctx, appContext.config)) {
    return read({ ...withDatabase(appContext, db), bypassesCaches: true });
  }
  const { reads } = appContext;
  if (reads === db) return read(appContext);
  try {
    return await read({ ...appContext, reads });
  } catch (error) {
    if (toAppError(error).status < 500 || isCutOff((error as Error).cause)) throw error;
    appContext.suspectReplica();
    return read(withDatabase(appContext, db));
  }
}
