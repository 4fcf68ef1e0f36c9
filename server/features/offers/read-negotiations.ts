import type { Negotiation } from '../../../contract/offers.ts';
import type { AppContext } from '../../app-context.ts';
import type { Page, Paging } from '../../db/pagination.ts';
import type { ConversationRow } from '../../db/rows.ts';
import { isSelf, type UserActor } from '../../policy.ts';
import { listAdsByIds } from '../ads/repository.ts';
import { listNegotiations, listNewestOffers } from '../deals/offers-repository.ts';
import { presentMessageAd, presentOffer } from '../messages/presenter.ts';
import { presentUser } from '../users/presenter.ts';
import { listUsersByIds } from '../users/repository.ts';

/** What the actor may buy: each ad with its seller and their newest offer. */
export const readNegotiations = async (
  { db }: Pick<AppContext, 'db'>,
  actor: UserActor,
  paging: Paging,
): Promise<{ negotiations: Negotiation[]; page: Page<ConversationRow> }> => {
  const page = await listNegotiations(db, actor.id, paging);
  const { rows } = page;
  const [ads, sellers, offers] = await Promise.all([
    listAdsByIds(
      db,
      rows.map((row) => row.ad_id),
    ),
    listUsersByIds(
      db,
      rows.map((row) => row.seller_id),
    ),
    listNewestOffers(
      db,
      rows.map((row) => row.id),
    ),
  ]);
  const adsById = new Map(ads.map((ad) => [ad.id, ad]));
  const sellersById = new Map(sellers.map((seller) => [seller.id, seller]));
  const offersByConversation = new Map(offers.map((offer) => [offer.conversation_id, offer]));
  const negotiations = rows.map((row): Negotiation => {
    const offer = offersByConversation.get(row.id);
    return {
      ad: presentMessageAd(adsById.get(row.ad_id)!, actor, row.seller_id),
      seller: presentUser(sellersById.get(row.seller_id)!),
      offer: offer ? { ...presentOffer(offer), isOwn: isSelf(actor, offer.maker_id) } : null,
    };
  });
  return { negotiations, page };
};
