import type { Trx } from '../../db/pools.ts';
import { conflict } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { endSessions } from '../auth/session-repository.ts';
import { insertWithoutDelivery } from '../notifications/repository.ts';
import { hasWayIn } from './passkeys-repository.ts';

interface AccessNews {
  userId: string;
  title: string;
  body: string;
}

/** Tells the person by notification, and by mail whatever they chose to get: a thief may have chosen for them. */
export async function tellPerson(trx: Trx, news: AccessNews): Promise<void> {
  const notificationId = await insertWithoutDelivery(trx, {
    ...news,
    kind: 'notice',
    url: '/preferences#passkeys',
  });
  await enqueue(trx, 'mail-access-news', { notificationId });
}

/** After a way in was added or removed: other sessions end, and the person hears of it. `current` is the actor's session. */
export async function concludeChange(trx: Trx, news: AccessNews, current: Buffer | undefined): Promise<void> {
  await endSessions(trx, { userId: news.userId, except: current });
  await tellPerson(trx, news);
}

/** The caller has locked the user, so that of two removals at once the second sees the first. @throws {AppError} conflict */
export async function checkWayIn(trx: Trx, userId: string): Promise<void> {
  if (!(await hasWayIn(trx, userId)))
    throw conflict('This is your only way to sign in. Add another passkey before you remove it.');
}
