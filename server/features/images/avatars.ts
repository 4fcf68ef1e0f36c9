import type { AppContext } from '../../app-context.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { findAvatar, listDueAvatars, setAvatarCopy } from './avatars-repository.ts';
import { storeImages } from './files.ts';

const BATCH = 200;

/** Copies a user's avatar from X in a job: no visitor's address reaches X. One copy at a time for each user. */
export const queueAvatar = (trx: Trx, userId: string): Promise<void> =>
  enqueue(trx, 'copy-avatar', { userId }, { key: `avatar ${userId}` });

/**
 * Replaces the copy of a user's avatar. Without a usable image at X there is none, and pages show a letter; while X does not
 * answer, the former copy stays. @throws {XError} the job runs again
 */
export async function copyAvatar(ctx: AppContext, userId: string): Promise<void> {
  const url = await findAvatar(ctx.db, userId);
  if (url === undefined) return;
  const bytes = url && (await ctx.x.readAvatar(url));
  const image = bytes ? await ctx.images.process(bytes).catch(ignoreInvalid) : undefined;
  if (image) await storeImages(ctx, [image]);
  await setAvatarCopy(ctx.db, { userId, url, sha256: image?.sha256 ?? null });
}

const ignoreInvalid = (error: unknown): undefined => {
  if (error instanceof AppError && error.code === 'invalid_image') return undefined;
  throw error;
};

/** Enqueues the avatars that were not looked at for a week, those without a copy first. */
export const refreshAvatars = ({ db }: { db: Db }): Promise<void> =>
  inTransaction(db, async (trx) => {
    for (const userId of await listDueAvatars(trx, BATCH)) await queueAvatar(trx, userId);
  });
