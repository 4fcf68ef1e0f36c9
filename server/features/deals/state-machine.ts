import type { DealRefusal } from '../../../contract/deals.ts';
import type { OfferStatus } from '../../../contract/messages.ts';

/** The two people of a conversation. */
export type Side = 'seller' | 'buyer';

/** An ad, its newest offer, its reservation and its deal, as they concern the two people of one conversation. */
export interface DealState {
  /** `taken_down` by staff. `closed`: in review or expired, or one of the two is shut out or blocked. */
  ad: 'open' | 'closed' | 'taken_down' | 'deleted';
  isNegotiable: boolean;
  isSold: boolean;
  reservedFor: 'buyer' | 'other' | null;
  offer: { by: Side; status: OfferStatus } | null;
  /** To whom the ad is sold now; null also if the buyer has no account here. */
  soldTo: 'buyer' | 'other' | null;
  /** One of the two rated the deal. */
  isRated: boolean;
  /** The time to rate or undo the deal is over. */
  isOver: boolean;
}

/** What a person does. */
export const ACTIONS = [
  'make',
  'accept',
  'decline',
  'counter',
  'withdraw',
  'reserve',
  'release',
  'sell_to_buyer',
  'sell_elsewhere',
  'relist',
  'undo',
  'delete',
] as const;
export type Action = (typeof ACTIONS)[number];

/** What happens without either of the two: time passes, a block or ban takes effect. */
export const INCIDENTS = ['offer_expires', 'reservation_ends', 'shut_out'] as const;
export type Incident = (typeof INCIDENTS)[number];

/** `forbidden`: this person may never do this here. The other refusals are the state as it is now. */
export type Refusal = DealRefusal | 'forbidden';
export type Outcome = { state: DealState } | { refusal: Refusal };

const refuse = (refusal: Refusal): Outcome => ({ refusal });

const isOpen = (state: DealState): boolean => state.offer?.status === 'open';

/** Ends an open offer. */
const settle = (state: DealState, status: OfferStatus): DealState['offer'] =>
  state.offer && isOpen(state) ? { ...state.offer, status } : state.offer;

/** Why nothing can be agreed about the ad between these two. */
const findObstacle = ({ ad, isSold, reservedFor }: DealState): DealRefusal | null => {
  if (ad === 'deleted') return 'deleted';
  if (isSold) return 'sold';
  if (ad !== 'open') return 'unavailable';
  return reservedFor === 'other' ? 'reserved' : null;
};

/** Why this side may not respond to the offer. */
const findOfferRefusal = ({ offer }: DealState, isAllowed: (by: Side) => boolean): Refusal | null => {
  if (offer === null || !isAllowed(offer.by)) return 'forbidden';
  return offer.status === 'open' ? null : offer.status;
};

const sell = (state: DealState, soldTo: DealState['soldTo']): Outcome => {
  if (state.ad === 'deleted') return refuse('deleted');
  if (state.isSold) return refuse('sold');
  if (state.ad === 'taken_down') return refuse('unavailable');
  return { state: { ...state, isSold: true, soldTo, reservedFor: null, offer: settle(state, 'void'), isRated: false } };
};

type Transition = (state: DealState, side: Side) => Outcome;

const byOther =
  (then: Transition): Transition =>
  (state, side) => {
    const refusal = findOfferRefusal(state, (by) => by !== side);
    return refusal ? refuse(refusal) : then(state, side);
  };

const bySeller =
  (then: Transition): Transition =>
  (state, side) =>
    side === 'seller' ? then(state, side) : refuse('forbidden');

/** Refuses while the ad is not available to these two. */
const ifAvailable =
  (then: Transition): Transition =>
  (state, side) => {
    const obstacle = findObstacle(state);
    return obstacle ? refuse(obstacle) : then(state, side);
  };

const TRANSITIONS: Record<Action, Transition> = {
  make: ifAvailable((state, side) => {
    if (!state.isNegotiable) return refuse('fixed_price');
    return isOpen(state) ? refuse('has_open_offer') : { state: { ...state, offer: { by: side, status: 'open' } } };
  }),
  accept: byOther(
    ifAvailable((state) => ({ state: { ...state, offer: settle(state, 'accepted'), reservedFor: 'buyer' } })),
  ),
  decline: byOther((state) => ({ state: { ...state, offer: settle(state, 'declined') } })),
  counter: byOther(ifAvailable((state, side) => ({ state: { ...state, offer: { by: side, status: 'open' } } }))),
  withdraw: (state, side) => {
    const refusal = findOfferRefusal(state, (by) => by === side);
    return refusal ? refuse(refusal) : { state: { ...state, offer: settle(state, 'withdrawn') } };
  },
  reserve: bySeller(ifAvailable((state) => ({ state: { ...state, reservedFor: 'buyer' } }))),
  release: (state, side) => {
    if (side === 'buyer' && state.reservedFor === 'other') return refuse('forbidden');
    return { state: { ...state, reservedFor: null } };
  },
  sell_to_buyer: bySeller((state) => sell(state, 'buyer')),
  sell_elsewhere: bySeller((state) => sell(state, null)),
  // a rated deal remains, but the ad is no longer sold to anyone
  relist: bySeller((state) => {
    if (state.ad === 'deleted') return refuse('deleted');
    return { state: { ...state, isSold: false, soldTo: null } };
  }),
  undo: (state, side) => {
    if (side !== 'buyer' || state.soldTo !== 'buyer') return refuse('forbidden');
    if (state.isRated) return refuse('has_rating');
    return state.isOver ? refuse('too_late') : { state: { ...state, soldTo: null } };
  },
  delete: bySeller((state) => {
    if (state.ad === 'deleted') return refuse('deleted');
    return { state: { ...state, ad: 'deleted', reservedFor: null, offer: settle(state, 'void') } };
  }),
};

/** What an action of the buyer or the seller of a conversation leads to. Pure: services lock the rows and write them. */
export const act = (state: DealState, action: Action, side: Side): Outcome => TRANSITIONS[action](state, side);

/** What time, a block, a ban or a deleted account leads to. */
export const undergo = (state: DealState, incident: Incident): DealState => {
  if (incident === 'offer_expires') return { ...state, offer: settle(state, 'expired') };
  if (incident === 'reservation_ends') return { ...state, reservedFor: null };
  return {
    ...state,
    ad: state.ad === 'open' ? 'closed' : state.ad,
    offer: settle(state, 'void'),
    reservedFor: state.reservedFor === 'other' ? 'other' : null,
  };
};
