import type { PhotoSize } from '../../../contract/message-photos.ts';
import type { MessagePhoto } from '../../../contract/messages.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import { type Actor, maySeeMessagePhoto, type UserActor } from '../../policy.ts';
import { loadPrivateImage, storePrivateImage, toPrivateImage } from '../images/private-images.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { addUnsentPhoto, findMessagePhoto } from './photos-repository.ts';

/**
 * Stores one photo for a message of the actor. `readFile` is called once the actor is known to be active.
 * @throws {AppError} invalid_image, those of storeImages, unauthenticated, account_banned, account_suspended
 */
export const uploadMessagePhoto = async (
  ctx: AppContext,
  actor: UserActor,
  readFile: () => Promise<Buffer>,
): Promise<MessagePhoto> => {
  await inTransaction(ctx.db, (trx) => lockActiveActor(trx, actor));
  const image = toPrivateImage(await ctx.images.process(await readFile()));
  await storePrivateImage(ctx, image);
  const id = await inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    return addUnsentPhoto(trx, actor.id, image.sha256);
  });
  return { id, width: image.width, height: image.height };
};

/** @throws {AppError} not_found, also for those who may not see it */
export const readMessagePhoto = async (
  ctx: AppContext,
  actor: Actor,
  { id, size }: { id: string; size: PhotoSize },
): Promise<Buffer> => {
  const photo = actor.kind === 'user' ? await findMessagePhoto(ctx.db, id) : undefined;
  if (photo === undefined || !maySeeMessagePhoto(actor, photo)) throw notFound();
  const bytes = await loadPrivateImage(ctx, photo.sha256, size);
  if (bytes === undefined) throw notFound();
  return bytes;
};
