import type { ExpiryAnswer } from './expiry.ts';
import { labels } from './i18n.ts';

/** The words of the answers, in a module of their own: pages that ask nothing need no catalog for them. */
export const EXPIRY_ANSWERS = labels<ExpiryAnswer>({
  renew: 'expiry.answer_renew',
  sold: 'expiry.answer_sold',
  expire: 'expiry.answer_expire',
});
