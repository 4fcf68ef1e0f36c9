import { type ExpiryAnswer, type ExpiryQuestion, type ExpiryState, getExpiryState } from '../../../contract/expiry.ts';
import type { TextKey } from '../../../contract/i18n.ts';
import { toMediaUrl } from '../../../contract/image-variants.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction, withDatabase } from '../../db/transaction.ts';
import { AppError, conflict } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { lockOwnAd, renewAd } from '../ads/own-ads.ts';
import { type AdDetails, findAd } from '../ads/repository.ts';
import { toExpiryPathPrefix } from '../notifications/expiry-links.ts';
import { type LinkPayloads, readLink } from '../notifications/link-tokens.ts';
import { markSubjectRead } from '../notifications/repository.ts';
import { setAdSold } from './service.ts';

const parseToken = (ctx: AppContext, token: string): LinkPayloads['expiry'] => {
  const link = readLink(ctx, 'expiry', token);
  if (link.state === 'invalid') throw new AppError('link_invalid');
  if (link.state === 'expired') throw new AppError('link_expired', { key: 'errors.linkExpiredRenew' });
  return link.payload;
};

const toState = (ad: AdDetails, endsAt: string, now: number): ExpiryState =>
  ad.seller_banned && ad.state !== 'deleted'
    ? 'hidden'
    : getExpiryState({ state: ad.state, isSold: ad.is_sold, expiresAt: ad.expires_at }, endsAt, now);

const readQuestion = async ({ db, clock }: AppContext, adId: string, endsAt: string): Promise<ExpiryQuestion> => {
  const ad = (await findAd(db, adId))!;
  const state = toState(ad, endsAt, clock.now().valueOf());
  const { id, title, price, price_type: priceType, images } = ad;
  if (state === 'deleted')
    return { ad: { id, title: '', price: '0.00', priceType: 'fixed', thumbUrl: null }, state, expiresAt: null };
  const thumbUrl = images[0] ? toMediaUrl(images[0].sha256, 'thumb') : null;
  return { ad: { id, title, price, priceType, thumbUrl }, state, expiresAt: ad.expires_at };
};

/** What the link of a mail is about. @throws {AppError} link_invalid, link_expired */
export const getQuestion = async (ctx: AppContext, token: string): Promise<ExpiryQuestion> => {
  const { adId, endsAt } = parseToken(ctx, token);
  return readQuestion(ctx, adId, endsAt);
};

const OVER: Record<Exclude<ExpiryState, 'open' | 'expired'>, TextKey> = {
  renewed: 'errors.renewedAlready',
  sold: 'errors.adIsSold',
  hidden: 'errors.hiddenNowNotRenewed',
  deleted: 'errors.deal_deleted',
};

/**
 * Answers on behalf of the ad's owner, whose mail had the link. @throws {AppError} link_invalid, link_expired, conflict
 * (the question is over), account_banned, account_suspended
 */
export const answerQuestion = (ctx: AppContext, token: string, answer: ExpiryAnswer): Promise<ExpiryQuestion> =>
  inTransaction(ctx.db, async (trx) => {
    const { userId, adId, endsAt } = parseToken(ctx, token);
    const inTrx = withDatabase(ctx, trx);
    const actor: UserActor = { kind: 'user', id: userId, role: 'user' };
    if ((await readQuestion(inTrx, adId, endsAt)).state === 'deleted') throw conflict(OVER.deleted);
    // the ad stays as it is from here on
    await lockOwnAd(trx, actor, adId);
    const { state } = await readQuestion(inTrx, adId, endsAt);
    if (state !== 'open' && state !== 'expired') throw conflict(OVER[state]);
    if (answer === 'renew') await renewAd(inTrx, actor, adId);
    else if (answer === 'sold') await setAdSold(inTrx, actor, adId, { isSold: true });
    else await markSubjectRead(trx, userId, { kinds: ['ad_expiring'], path: toExpiryPathPrefix(adId) });
    return readQuestion(inTrx, adId, endsAt);
  });
