import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { AppContext } from '../../app-context.ts';
import { isCutOff } from '../../db/prepared.ts';
import { MAX_LAG_MS } from '../../db/replica.ts';
import { withDatabase } from '../../db/transaction.ts';
import { toAppError } from '../response/app-error.ts';

const COOKIE = 'wrote';
/** The maximum age of cached responses from before the write, plus a second for the network. */
const CACHE_SECONDS = 2;
/** The maximum replica lag, plus the second between two checks of it, plus one for the network. */
const REPLICA_SECONDS = MAX_LAG_MS / 1000 + 2;

/** After a write: for some seconds every process reads for this client from the primary and bypasses caches. */
export function markWrite(ctx: Context, { config }: AppContext): void {
  if (ctx.status >= 400) return;
  const seconds = config.databaseReplicaUrl ? REPLICA_SECONDS : CACHE_SECONDS;
  const secure = config.isHttps ? '; Secure' : '';
  ctx.append('Set-Cookie', `${COOKIE}=1; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}

export const hasJustWritten = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.cookie !== undefined && /(^|;\s*)wrote=1(;|$)/.test(headers.cookie);

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
  if (hasJustWritten(ctx)) {
    return read({ ...withDatabase(appContext, db), adJsonCache: appContext.adJsonCache.empty() });
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
