import type { BodyOf } from '../contract/endpoint.ts';
import type { createReport as reportApi } from '../contract/reports.ts';
import type { AppContext } from '../server/app-context.ts';
import type { Trx } from '../server/db/pools.ts';
import { appealDecision } from '../server/features/reports/appeals.ts';
import { decideCase } from '../server/features/reports/decide.ts';
import { listOwnDecisions } from '../server/features/reports/decision-repository.ts';
import { createReport, listCases } from '../server/features/reports/service.ts';
import { CITIES } from './sample-cities.ts';
import { SAMPLE_USERS, type SampleAd, type SampleConversation, type SampleRole, toActor } from './sample-users.ts';

const PHONE = 'Phone, as good as new, half price';
const SWEATERS = 'Brand sweaters, three for one';

/** The ads of the dealer: people report the first one, and the moderator removed the second one. */
export const REPORTED_ADS: SampleAd[] = [
  {
    by: 'dealer',
    title: SWEATERS,
    description: 'Three sweaters of a famous brand for the price of one. More of them on request.',
    price: '30',
    category: 'clothing',
    ...CITIES.eugene,
    photos: ['sweaters'],
    daysAgo: 7,
  },
  {
    by: 'dealer',
    title: PHONE,
    description: 'Hardly used, with its box. Only shipping: pay with gift cards first, and it leaves on the same day.',
    price: '190',
    category: 'electronics',
    ...CITIES.eugene,
    photos: ['phone'],
    daysAgo: 6,
  },
];

/** The reader reports its last message. */
export const SUSPICIOUS_CONVERSATION: SampleConversation = {
  about: PHONE,
  messages: [
    { from: 'reader', to: 'dealer', content: 'Can I see the phone before I pay?' },
    { from: 'dealer', to: 'reader', content: 'I am abroad. My courier brings it to you.' },
    { from: 'dealer', to: 'reader', content: 'Send me the verification code from your phone, then he starts today.' },
  ],
};

type Report = BodyOf<typeof reportApi>;

/** Reports of the sample users, `hoursAgo`. */
const report = async (ctx: AppContext, trx: Trx, by: SampleRole, hoursAgo: number, what: Report): Promise<void> => {
  const { id } = await createReport(ctx, toActor(by), what);
  const at = trx.raw("now() - ? * interval '1 hour'", [hoursAgo]);
  const [row] = await trx('reports').where({ id }).update({ created_at: at }).returning('case_id');
  // the first report opens a case
  await trx('moderation_cases').where({ id: row.case_id }).where('opened_at', '>', at).update({ opened_at: at });
};

/** The moderator removes the ad, and its owner appeals. The owner and the reporters are notified. */
const removeAndAppeal = async (ctx: AppContext, adId: string): Promise<void> => {
  const { cases } = await listCases(ctx, toActor('moderator'), { limit: 100 });
  const { id } = cases.find(({ targetType, targetId }) => targetType === 'ad' && targetId === adId)!;
  const note = 'The labels are copies. Please offer originals only.';
  await decideCase(ctx, toActor('moderator'), id, { action: 'remove', reason: 'counterfeit', note });
  const { rows } = await listOwnDecisions(ctx.db, toActor('dealer').id, { limit: 1 });
  await appealDecision(ctx, toActor('dealer'), rows[0]!.id, 'I have the receipts of the shop and can send them.');
};

/**
 * Fills the queue of reports: an ad whose reports weigh almost enough for a hold, a message, a person, and an appeal
 * against a removal. `ctx` works in `trx`.
 */
export const createSampleCases = async (
  ctx: AppContext,
  trx: Trx,
  { ads, messageId }: { ads: ReadonlyMap<string, string>; messageId: string },
): Promise<void> => {
  const phone = { targetType: 'ad', targetId: ads.get(PHONE)! } as const;
  const sweaters = { targetType: 'ad', targetId: ads.get(SWEATERS)! } as const;
  const dealer = { targetType: 'user', targetId: SAMPLE_USERS.dealer.id } as const;
  const message = { targetType: 'message', targetId: messageId } as const;
  await report(ctx, trx, 'buyer', 30, { ...sweaters, reason: 'counterfeit', details: 'The labels are misspelled.' });
  await report(ctx, trx, 'reader', 20, { ...phone, reason: 'scam', details: 'Gift cards first? No, thank you.' });
  await report(ctx, trx, 'buyer', 9, { ...phone, reason: 'counterfeit' });
  await report(ctx, trx, 'newcomer', 1, { ...phone, reason: 'wrong_category' });
  await report(ctx, trx, 'buyer', 8, { ...dealer, reason: 'other', details: 'Uses the photos of a shop near us.' });
  await report(ctx, trx, 'reader', 0, { ...message, reason: 'scam', details: 'Asks for a code that is only for me.' });
  // last: a report that was upheld adds to the weight of later ones
  await removeAndAppeal(ctx, sweaters.targetId);
};
