import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { AppContext } from '../../app-context.ts';
import { isCutOff } from '../../db/prepared.ts';
import { MAX_LAG_MS } from '../../db/replica.ts';
import { createPublicCaches } from '../../features/ads/public-caches.ts';
import { toAppError } from '../middleware/error-handler.ts';

const COOKIE = 'wrote';
// What another process answered within the last second, and one for the way.
const CACHE_SECONDS = 2;
// Longer than the replica may be behind without being left out, plus the second between two looks and one for the way.
const REPLICA_SECONDS = MAX_LAG_MS / 1000 + 2;

/** After a write: for some seconds this browser is answered from the primary and from no cache, by any process. */
export function markWrite(ctx: Context, { config }: AppContext): void {
  if (ctx.status >= 400) return;
  const seconds = config.databaseReplicaUrl ? REPLICA_SECONDS : CACHE_SECONDS;
  const secure = config.isHttps ? '; Secure' : '';
  ctx.append('Set-Cookie', `${COOKIE}=1; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}

export const hasJustWritten = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.cookie !== undefined && /(^|;\s*)wrote=1(;|$)/.test(headers.cookie);

/**
 * Does `read` with `appContext.reads` and `appContext`'s memory as suits the caller: who has just written is told nothing from memory.
 * A replica that fails, or cancels the query, is replaced at once.
 */
export async function withReads<T>(
  ctx: Context,
  appContext: AppContext,
  read: (appContext: AppContext) => Promise<T>,
): Promise<T> {
  const wrote = hasJustWritten(ctx);
  const own = wrote ? { ...appContext, ...createPublicCaches() } : appContext;
  if (appContext.config.databaseReplicaUrl === undefined) return read(own);
  const reads = wrote ? appContext.db : appContext.reads;
  try {
    return await read({ ...own, reads });
  } catch (error) {
    if (reads === appContext.db || toAppError(error).status < 500 || isCutOff((error as Error).cause)) throw error;
    appContext.suspectReplica();
    return read({ ...own, reads: appContext.db });
  }
}
