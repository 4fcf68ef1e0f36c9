import type { ConversationAction } from '../../../contract/conversations.ts';
import { type Action, act, type DealState, type Side } from '../deals/state-machine.ts';

const DEAL_ACTIONS = {
  offer: 'make',
  accept: 'accept',
  counter: 'counter',
  decline: 'decline',
  withdraw: 'withdraw',
  reserve: 'reserve',
  release: 'release',
  sell: 'sell_to_buyer',
} as const satisfies Record<Exclude<ConversationAction, 'send'>, Action>;

const NAMES = Object.keys(DEAL_ACTIONS) as (keyof typeof DEAL_ACTIONS)[];

export interface ConversationState {
  side: Side;
  deal: DealState;
  canSend: boolean;
  /** One of the two has written. */
  hasBegun: boolean;
  isForSale: boolean;
}

/** What one of the two may do now, and what would change something. */
export const listActions = ({ side, deal, canSend, hasBegun, isForSale }: ConversationState): ConversationAction[] => {
  const isAgreed = deal.reservedFor === 'buyer' && deal.offer?.status === 'accepted';
  const isUseful = {
    offer: canSend && !isAgreed,
    accept: true,
    counter: canSend,
    decline: true,
    withdraw: true,
    reserve: canSend && hasBegun && deal.reservedFor === null && isForSale,
    release: deal.reservedFor !== null,
    sell: deal.reservedFor === 'buyer',
  };
  const ofDeal = NAMES.filter((name) => isUseful[name] && 'state' in act(deal, DEAL_ACTIONS[name], side));
  return canSend ? ['send', ...ofDeal] : ofDeal;
};
