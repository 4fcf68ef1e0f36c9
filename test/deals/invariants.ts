// What must hold after every step: in the database, and in what people see.
import { expect } from 'vitest';
import { getAd } from '../../contract/ads.ts';
import { listPurchases, listSales } from '../../contract/deals.ts';
import { getConversation, getUnreadCount } from '../../contract/messages.ts';
import { listRatings } from '../../contract/ratings.ts';
import type { Db } from '../../server/db/pools.ts';
import type { Client } from '../harness/client.ts';
import type { World } from './world.ts';

const SHUT_OUT = (user: string) =>
  `(${user}.banned_at is not null or ${user}.deleted_at is not null or coalesce(${user}.suspended_until > now(), false))`;
const APART = (a: string, b: string) => `(${SHUT_OUT(a)} or ${SHUT_OUT(b)} or exists (
  select from blocks where blocker_id in (${a}.id, ${b}.id) and blocked_id in (${a}.id, ${b}.id)))`;

/** Each statement lists the rows that break its rule. */
const VIOLATIONS: Record<string, string> = {
  'two open offers in a conversation': `select conversation_id from offers
    where ad_id = any(:ads) and status = 'open' group by 1 having count(*) > 1`,
  'an open offer about an ad that is sold or deleted': `select o.id from offers o join ads a on a.id = o.ad_id
    where a.id = any(:ads) and o.status = 'open' and (a.is_sold or a.state = 'deleted')`,
  'an open offer between people who may not write to each other': `select o.id from offers o
    join users m on m.id = o.maker_id join users r on r.id = o.receiver_id
    where o.ad_id = any(:ads) and o.status = 'open' and o.expires_at > now() and ${APART('m', 'r')}`,
  'an offer that is not of the two people of its conversation': `select o.id from offers o
    join conversations c on c.id = o.conversation_id join messages m on m.id = o.message_id
    where o.ad_id = any(:ads) and ((o.maker_id, o.receiver_id) not in
      ((c.seller_id, c.buyer_id), (c.buyer_id, c.seller_id)) or m.sender_id <> o.maker_id
      or m.receiver_id <> o.receiver_id or m.conversation_id <> c.id or c.ad_id <> o.ad_id)`,
  'an offer whose status does not fit its dates': `select id from offers where ad_id = any(:ads) and (
    (status = 'open') <> (settled_at is null) or settled_at < created_at or (status = 'expired' and settled_at < expires_at)
    or (status in ('accepted', 'declined', 'countered', 'withdrawn') and settled_at >= expires_at))`,
  'a reservation of an ad that is sold or deleted': `select a.id from reservations r join ads a on a.id = r.ad_id
    where a.id = any(:ads) and (a.is_sold or a.state = 'deleted')`,
  'a reservation of people who may not write to each other': `select r.ad_id from reservations r
    join ads a on a.id = r.ad_id join users s on s.id = a.user_id join users b on b.id = r.user_id
    where a.id = any(:ads) and r.ends_at > now() and ${APART('s', 'b')}`,
  'a reservation for a person who has not written': `select r.ad_id from reservations r where ad_id = any(:ads)
    and not exists (select from conversations c where c.ad_id = r.ad_id and c.buyer_id = r.user_id)`,
  'a current deal about an ad that is for sale': `select d.id from deals d join ads a on a.id = d.ad_id
    where a.id = any(:ads) and d.closed_at is null and not a.is_sold and a.state <> 'deleted'`,
  'two current deals of an ad': `select ad_id from deals where ad_id = any(:ads) and closed_at is null
    group by 1 having count(*) > 1`,
  'a closed deal without a rating': `select id from deals d where ad_id = any(:ads) and closed_at is not null
    and not exists (select from ratings r where r.deal_id = d.id)`,
  'a deal whose people are not the seller and a writer': `select d.id from deals d join ads a on a.id = d.ad_id
    where a.id = any(:ads) and (d.seller_id <> a.user_id or not exists (
      select from conversations c where c.ad_id = a.id and c.buyer_id = d.buyer_id))`,
  'a rating that is revealed too early, or hidden although both have rated': `select r.id from ratings r
    join deals d on d.id = r.deal_id where d.ad_id = any(:ads) and (
      (r.revealed_at is not null and d.ends_at > now() and (select count(*) from ratings o where o.deal_id = d.id) < 2)
      or (r.revealed_at is null and (select count(*) from ratings o where o.deal_id = d.id) = 2))`,
  'a conversation whose counts are wrong': `select c.id from conversations c where c.ad_id = any(:ads)
    and (c.message_count <> (select count(*) from messages m where m.conversation_id = c.id)
      or c.last_message_id is distinct from (select max(m.id) from messages m where m.conversation_id = c.id))`,
};
const ALL = Object.entries(VIOLATIONS)
  .map(([rule, sql]) => `select '${rule}' as rule, id::text from (${sql}) broken(id)`)
  .join(' union all ');

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
  const { rows } = await db.raw(ALL, { ads: world.ads.map(({ id }) => id) });
  expect(rows, 'rows of the database that break a rule').toEqual([]);
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
      ).toEqual({ own: mine?.id, other: other?.isPublic ? other.id : undefined, canUndo: role === 'buyer' && !isOver });
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
