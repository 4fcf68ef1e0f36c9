import { describe, expect, test } from 'vitest';
import type { SendRefusal } from '../../../contract/messages.ts';
import type { AdRow } from '../../db/rows.ts';
import type { UserActor } from '../../policy.ts';
import { findSendRefusal, type MessagingContext } from './messaging-policy.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const [buyer, seller, other] = ['1', '2', '3'].map(
  (id) => ({ kind: 'user', id, role: 'user' }) as Pick<UserActor, 'kind' | 'id' | 'role'> as UserActor,
) as [UserActor, UserActor, UserActor];

const ad = { id: '7', user_id: seller.id, state: 'active', listed: true, allow_messages: true } as AdRow;
const person = ({ id }: UserActor) => ({ id, banned_at: null, suspended_until: null, deleted_at: null });
const NO_BLOCKS = { byOneself: false, byOther: false };
const question: MessagingContext = { ad, other: person(seller), hasBegun: false, blocks: NO_BLOCKS };

/** For each refusal who meets it, and when. */
const CASES: Record<SendRefusal, [actor: UserActor, context: Partial<MessagingContext>]> = {
  ad_deleted: [buyer, { ad: { ...ad, state: 'deleted', listed: false }, hasBegun: true }],
  ad_not_found: [buyer, { ad: undefined }],
  account_deleted: [buyer, { other: { ...person(seller), deleted_at: NOW.toISOString() } }],
  account_banned: [buyer, { other: { ...person(seller), banned_at: NOW.toISOString() } }],
  self: [seller, {}],
  seller_writes_first: [seller, { other: person(buyer) }],
  not_seller: [buyer, { other: person(other) }],
  no_messages: [buyer, { ad: { ...ad, allow_messages: false } }],
  blocked_by_oneself: [buyer, { blocks: { ...NO_BLOCKS, byOneself: true } }],
};

describe('who may write', () => {
  test('a buyer may ask the seller of a public ad', () => {
    expect(findSendRefusal(buyer, question, NOW)).toBe(null);
  });

  test.each(Object.entries(CASES))('%s is said to whom it concerns', (refusal, [actor, context]) => {
    expect(findSendRefusal(actor, { ...question, ...context }, NOW)).toBe(refusal);
  });
});
