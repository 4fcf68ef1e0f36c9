import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { conflict } from '../../errors.ts';
import { type AccessNews, tellOfAccess } from '../notifications/access-news.ts';
import { deleteLinks } from '../sessions/recovery-links-repository.ts';
import type { SessionChange } from '../sessions/session-renewal.ts';
import { endSessions, renewSession } from '../sessions/session-repository.ts';
import { hasWayIn } from './passkeys-repository.ts';

/** After a way in was added or removed: other sessions and links that wait end, the actor's gets another id, and the person hears of it. */
export async function concludeChange(
  trx: Trx,
  ctx: Pick<AppContext, 'config'>,
  news: AccessNews,
  { sessionHash, renewal }: SessionChange,
): Promise<void> {
  await endSessions(trx, { userId: news.userId, except: sessionHash });
  if (renewal) await renewSession(trx, renewal);
  await deleteLinks(trx, news.userId);
  await tellOfAccess(trx, ctx, news);
}

/** The caller has locked the user, so that of two removals at once the second sees the first. @throws {AppError} conflict */
export async function checkWayIn(trx: Trx, userId: string): Promise<void> {
  if (!(await hasWayIn(trx, userId))) throw conflict('errors.onlyWayIn');
}
