import type { Image } from '../../../contract/ads.ts';
import type { AppContext } from '../../app-context.ts';
import { getNow } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { forbidden } from '../../errors.ts';
import type { ProcessedImage } from '../../integrations/images/codec.ts';
import { mayPostAd, type UserActor } from '../../policy.ts';
import { checkXAccountAge } from '../gates/gates.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { storeImages } from './files.ts';
import { addPhoto } from './photos-repository.ts';
import { presentImage } from './presenter.ts';

/** @throws {AppError} forbidden to those who may not post ads, unauthenticated, account_banned, account_suspended */
export const checkUploader = (ctx: AppContext, actor: UserActor): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockActiveActor(trx, actor);
    if (!mayPostAd(user)) throw forbidden('errors.xToPost');
    checkXAccountAge(await readSettings(trx), actor, user, { purpose: 'ads', now: getNow(trx) });
  });

/** Stores images that belong to the actor for a day. @throws {AppError} those of storeImages, unauthenticated */
export const storePhotos = async (
  ctx: AppContext,
  actor: UserActor,
  images: readonly ProcessedImage[],
): Promise<Image[]> => {
  await storeImages(ctx, images);
  await inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    for (const { sha256 } of images) await addPhoto(trx, actor.id, sha256);
  });
  return images.map(presentImage);
};

/** Stores one photo. `readFile` is called once the actor may post. @throws {AppError} invalid_image, those of images.ts */
export const uploadPhoto = async (
  ctx: AppContext,
  actor: UserActor,
  readFile: () => Promise<Buffer>,
): Promise<Image> => {
  await checkUploader(ctx, actor);
  const image = await ctx.images.process(await readFile());
  const [photo] = await storePhotos(ctx, actor, [image]);
  return photo!;
};
