import type { OfferStatus } from '../../contract/messages.ts';
import type { Db } from '../../server/db/pools.ts';
import type { Side } from '../../server/features/deals/state-machine.ts';

export interface OfferModel {
  id: string;
  buyer: string;
  by: Side;
  status: OfferStatus;
}

export interface AdModel {
  id: string;
  seller: string;
  state: 'open' | 'hidden' | 'deleted';
  isNegotiable: boolean;
  isSold: boolean;
  reservedFor: string | null;
  /** The buyers of its conversations. */
  begun: string[];
  /** In the order in which they were made. */
  offers: OfferModel[];
}

export interface RatingModel {
  id: string;
  rater: string;
  rated: string;
  isPublic: boolean;
  hasReply: boolean;
}

export interface SaleModel {
  id: string;
  ad: string;
  seller: string;
  buyer: string;
  isCurrent: boolean;
  isOver: boolean;
  ratings: RatingModel[];
}

/** What the history of one seed has led to: as the database has it, or as the rules predict it. */
export interface World {
  people: { id: string; isOut: boolean; isBanned: boolean; isDeleted: boolean }[];
  /** Who blocked whom. */
  blocks: [string, string][];
  ads: AdModel[];
  sales: SaleModel[];
}

/** Reads the world of these people, judged by the clock of the database session. */
export async function readWorld(db: Db, userIds: readonly string[]): Promise<World> {
  const all = async (sql: string) => (await db.raw(sql, { ids: [...userIds] })).rows;
  const [people, blocks, ads, begun, offers, deals, ratings] = await Promise.all([
    all(`select id, deleted_at is not null as "isDeleted", banned_at is not null as "isBanned",
           banned_at is not null or deleted_at is not null or coalesce(suspended_until > now(), false) as "isOut"
         from users where id = any(:ids) order by id`),
    all('select blocker_id, blocked_id from blocks where blocker_id = any(:ids) order by 1, 2'),
    all(`select a.id, a.user_id as seller, a.price_type = 'negotiable' as "isNegotiable", a.is_sold as "isSold",
           case when a.state in ('active', 'deleted') then a.state else 'hidden' end as state, r.user_id as "reservedFor"
         from ads a left join reservations r on r.ad_id = a.id and r.ends_at > now()
         where a.user_id = any(:ids) order by a.id`),
    all('select ad_id, buyer_id from conversations where seller_id = any(:ids) order by id'),
    all(`select o.id, o.ad_id, c.buyer_id, o.maker_id,
           case when o.status = 'open' and o.expires_at <= now() then 'expired' else o.status end as status
         from offers o join conversations c on c.id = o.conversation_id where c.seller_id = any(:ids) order by o.id`),
    all(`select id, ad_id as ad, seller_id as seller, buyer_id as buyer, closed_at is null as "isCurrent",
           ends_at <= now() as "isOver"
         from deals where seller_id = any(:ids) order by id`),
    all(`select r.id, r.deal_id, r.rater_id as rater, r.rated_id as rated, r.reply is not null as "hasReply",
           r.removed_at is null and (r.revealed_at is not null or d.ends_at <= now()) as "isPublic"
         from ratings r join deals d on d.id = r.deal_id where d.seller_id = any(:ids) order by r.id`),
  ]);
  return {
    people,
    blocks: blocks.map((row: { blocker_id: string; blocked_id: string }) => [row.blocker_id, row.blocked_id]),
    ads: ads.map((ad: AdModel) => ({
      ...ad,
      state: (ad.state as string) === 'active' ? 'open' : ad.state,
      begun: begun
        .filter((row: { ad_id: string }) => row.ad_id === ad.id)
        .map((row: { buyer_id: string }) => row.buyer_id),
      offers: offers
        .filter((row: { ad_id: string }) => row.ad_id === ad.id)
        .map(({ id, buyer_id, maker_id, status }: Record<string, string>) => ({
          id,
          buyer: buyer_id,
          by: maker_id === ad.seller ? 'seller' : 'buyer',
          status,
        })),
    })),
    sales: deals.map((deal: SaleModel) => ({
      ...deal,
      ratings: ratings
        .filter((row: { deal_id: string }) => row.deal_id === deal.id)
        .map(({ deal_id: _, ...rating }: RatingModel & { deal_id: string }) => rating),
    })),
  };
}

const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b));

/** The world without what no rule predicts: the ids of new rows, and the order of rows of different people. */
export const normalize = ({ people, blocks, ads, sales }: World) => ({
  out: people.filter(({ isOut }) => isOut).map(({ id }) => id),
  blocks: blocks.toSorted(byText),
  ads: ads.map(({ begun, offers, isNegotiable, ...ad }) => ({
    ...ad,
    // a deleted ad has lost its content, which no rule reads
    isSold: ad.state !== 'deleted' && ad.isSold,
    isNegotiable: ad.state !== 'deleted' && isNegotiable,
    begun: begun.toSorted(),
    offers: begun
      .toSorted()
      .map((buyer) => offers.filter((offer) => offer.buyer === buyer).map(({ by, status }) => `${by} ${status}`)),
  })),
  sales: sales
    .map(({ id: _, ratings, ...sale }) => ({
      ...sale,
      ratings: ratings.map(({ id: __, ...rating }) => rating).toSorted(byText),
    }))
    .toSorted(byText),
});
