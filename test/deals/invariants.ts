// What must hold after every step: in the database, and in what people see.
import { expect } from 'vitest';
import { getAd } from '../../contract/ads.ts';
import { listPurchases, listSales } from '../../contract/deals.ts';
import { getConversation, getUnreadCount } from '../../contract/messages.ts';
import { listRatings } from '../../contract/ratings.ts';
import type { Db } from '../../server/db/pools.ts';
import type { Client } from '../harness/client.ts';
import { findViolations } from './violations.ts';
import type { World } from './world.ts';

interface CountedRating {
  id: bigint;
  rater_id: string;
  value: string;
  at: number;
}

const WINDOW = 90 * 86_400_000;

/** By definition: a rating counts unless a later one of the same rater, which counts, follows within 90 days. */
const doesCount = (rating: CountedRating, all: readonly CountedRating[]): boolean =>
  !all.some(
    (later) =>
      later.rater_id === rating.rater_id &&
      (later.at > rating.at || (later.at === rating.at && later.id > rating.id)) &&
      later.at - rating.at <= WINDOW &&
      doesCount(later, all),
  );

/**
 * The stored figures equal a count of the ratings. Where time has just made a rating public, the figure is as before until
 * a job or another rating counts it.
 */
const checkFigures = async (db: Db, people: readonly string[]): Promise<void> => {
  const users = await db('users').whereIn('id', people).select('id', 'rated_deals', 'rated_good');
  const { rows } = await db.raw(
    `select r.id, r.rated_id, r.rater_id, r.value, r.created_at, r.revealed_at from ratings r
     join deals d on d.id = r.deal_id
     where r.rated_id = any(:people) and r.removed_at is null and (r.revealed_at is not null or d.ends_at <= now())`,
    { people: [...people] },
  );
  for (const { id, rated_deals, rated_good } of users) {
    const own = rows.filter((row: { rated_id: string }) => row.rated_id === id);
    if (own.some((row: { revealed_at: string | null }) => row.revealed_at === null)) continue;
    const ratings = own.map((row: { id: string; rater_id: string; value: string; created_at: string }) => ({
      id: BigInt(row.id),
      rater_id: row.rater_id,
      value: row.value,
      at: Date.parse(row.created_at),
    }));
    const counted = ratings.filter((rating: CountedRating) => doesCount(rating, ratings));
    const good = counted.filter(({ value }: CountedRating) => value === 'good');
    expect({ id, rated_deals, rated_good }, 'the figure of ratings').toEqual({
      id,
      rated_deals: counted.length,
      rated_good: good.length,
    });
  }
};

export const checkDatabase = async (db: Db, world: World, people: readonly string[]): Promise<void> => {
  const adIds = world.ads.map(({ id }) => id);
  expect(await findViolations(db, adIds), 'rows of the database that break a rule').toEqual([]);
  await checkFigures(db, people);
};

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted();

/** What one person reads, who may sign in, agrees with the world. */
export const checkViews = async (db: Db, world: World, me: string, client: Client): Promise<void> => {
  const outIds = world.people.filter(({ isOut }) => isOut).map(({ id }) => id);
  for (const ad of world.ads) {
    const isHidden =
      ad.state === 'deleted' || (me !== ad.seller && (ad.state !== 'open' || outIds.includes(ad.seller)));
    const { status, body } = await client.call(getAd, { params: { id: ad.id } });
    const isConcerned = me === ad.seller || me === ad.reservedFor;
    expect(
      status === 404
        ? 'hidden'
        : { isSold: body.isSold, isReserved: body.isReserved ?? false, for: body.reservedFor?.id ?? null },
      `the ad ${ad.id} as ${me} sees it`,
    ).toEqual(
      isHidden
        ? 'hidden'
        : { isSold: ad.isSold, isReserved: ad.reservedFor !== null, for: isConcerned ? ad.reservedFor : null },
    );
  }
  for (const role of ['buyer', 'seller'] as const) {
    const deals = await client.ok(role === 'buyer' ? listPurchases : listSales, { query: { limit: '100' } });
    const own = world.sales.filter((sale) => sale[role] === me);
    expect(ids(deals), `the deals of ${me} as ${role}`).toEqual(ids(own));
    for (const deal of deals) {
      const { ratings, isOver } = own.find(({ id }) => id === deal.id)!;
      const mine = ratings.find(({ rater }) => rater === me);
      const other = ratings.find(({ rater }) => rater !== me);
      expect(
        { own: deal.ownRating?.id, other: deal.otherRating?.id, canUndo: deal.canUndo },
        `the deal ${deal.id} as ${me} sees it`,
      ).toEqual({
        own: mine?.id,
        other: other?.isPublic ? other.id : undefined,
        canUndo: role === 'buyer' && !isOver && ratings.length === 0,
      });
    }
  }
  for (const { id } of world.people.filter((person) => !person.isOut)) {
    const seen = await client.ok(listRatings, { params: { id }, query: { limit: '100' } });
    const shown = world.sales
      .flatMap(({ ratings }) => ratings)
      .filter(({ rated, isPublic }) => rated === id && isPublic);
    expect(ids(seen), `the ratings of ${id}`).toEqual(ids(shown));
  }
  for (const { id, seller, begun, offers } of world.ads)
    for (const buyer of begun.filter((each) => me === seller || me === each)) {
      const params = { adId: id, otherUserId: me === seller ? buyer : seller };
      const messages = await client.ok(getConversation, { params, query: { limit: '100' } });
      expect(
        messages.flatMap(({ offer }) => (offer ? [`${offer.id} ${offer.status}`] : [])),
        `the offers of ${seller} and ${buyer} as ${me} sees them`,
      ).toEqual(offers.filter((offer) => offer.buyer === buyer).map((offer) => `${offer.id} ${offer.status}`));
    }
  const unread = await db('messages').where({ receiver_id: me, is_read: false }).count('* as count').first();
  expect((await client.ok(getUnreadCount)).unreadCount, `the unread messages of ${me}`).toBe(Number(unread?.count));
};
