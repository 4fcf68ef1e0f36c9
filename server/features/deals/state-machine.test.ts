import { describe, expect, it } from 'vitest';
import { DEAL_REFUSALS } from '../../../contract/deals.ts';
import { OFFER_STATUSES } from '../../../contract/messages.ts';
import { ACTIONS, act, type DealState, INCIDENTS, type Outcome, type Side, undergo } from './state-machine.ts';

const SIDES: readonly Side[] = ['seller', 'buyer'];
const BOTH = [false, true];

/** A state of the database, which the constraints there allow. */
const isPossible = (state: DealState): boolean =>
  (!state.isSold || (state.reservedFor === null && state.offer?.status !== 'open')) &&
  (state.ad !== 'deleted' || (state.reservedFor === null && state.offer?.status !== 'open')) &&
  (state.isSold || state.soldTo === null);

const ALL: DealState[] = (['open', 'closed', 'taken_down', 'deleted'] as const).flatMap((ad) =>
  BOTH.flatMap((isNegotiable) =>
    BOTH.flatMap((isSold) =>
      (['buyer', 'other', null] as const).flatMap((reservedFor) =>
        [null, ...SIDES.flatMap((by) => OFFER_STATUSES.map((status): DealState['offer'] => ({ by, status })))].flatMap(
          (offer) =>
            (['buyer', 'other', null] as const).flatMap((soldTo) =>
              BOTH.flatMap((isRated) =>
                BOTH.map((isOver) => ({ ad, isNegotiable, isSold, reservedFor, offer, soldTo, isRated, isOver })),
              ),
            ),
        ),
      ),
    ),
  ),
);
const STATES = ALL.filter(isPossible);

const AVAILABLE: DealState = {
  ad: 'open',
  isNegotiable: true,
  isSold: false,
  reservedFor: null,
  offer: null,
  soldTo: null,
  isRated: false,
  isOver: false,
};
const open = (by: Side): DealState => ({ ...AVAILABLE, offer: { by, status: 'open' } });

const stateAfter = (outcome: Outcome): DealState => {
  if ('refusal' in outcome) throw new Error(`refused: ${outcome.refusal}`);
  return outcome.state;
};
const each = (check: (state: DealState, action: (typeof ACTIONS)[number], side: Side, outcome: Outcome) => void) => {
  for (const state of STATES)
    for (const action of ACTIONS) for (const side of SIDES) check(state, action, side, act(state, action, side));
};

describe('every state, action and side', () => {
  it('leads to a possible state or a refusal with a sentence', () => {
    each((_, action, side, outcome) => {
      if ('state' in outcome) expect(isPossible(outcome.state), `${action} ${side}`).toBe(true);
      else if (outcome.refusal !== 'forbidden') expect(DEAL_REFUSALS).toContain(outcome.refusal);
    });
  });

  it('never changes an offer that is not open', () => {
    each((state, action, _, outcome) => {
      if (state.offer === null || state.offer.status === 'open' || 'refusal' in outcome) return;
      if (action !== 'make') expect(outcome.state.offer).toEqual(state.offer);
    });
  });

  it('never gives a reserved or sold ad to another person by accepting, countering, offering or reserving', () => {
    each((state, action, _, outcome) => {
      if (!['make', 'accept', 'counter', 'reserve'].includes(action) || 'refusal' in outcome) return;
      expect(state).toMatchObject({ ad: 'open', isSold: false });
      expect(state.reservedFor).not.toBe('other');
    });
  });

  it('lets only the other side accept, decline and counter, and only the maker withdraw', () => {
    each((state, action, side, outcome) => {
      if ('refusal' in outcome) return;
      if (['accept', 'decline', 'counter'].includes(action)) expect(state.offer?.by).not.toBe(side);
      if (action === 'withdraw') expect(state.offer?.by).toBe(side);
    });
  });

  it('lets only the seller reserve, sell, relist and delete, and only the buyer undo', () => {
    each((_, action, side, outcome) => {
      if (['reserve', 'sell_to_buyer', 'sell_elsewhere', 'relist', 'delete'].includes(action) && side === 'buyer')
        expect(outcome).toEqual({ refusal: 'forbidden' });
      if (action === 'undo' && side === 'seller') expect(outcome).toEqual({ refusal: 'forbidden' });
    });
  });

  it('sells an ad once', () => {
    each((state, action, _, outcome) => {
      if (action.startsWith('sell_') && 'state' in outcome) expect(state.isSold).toBe(false);
    });
  });

  it('never sells an ad that staff took down, and never puts one on the market', () => {
    each((state, _, __, outcome) => {
      if (state.ad !== 'taken_down' || 'refusal' in outcome) return;
      expect(['taken_down', 'deleted']).toContain(outcome.state.ad);
      expect(outcome.state.isSold && !state.isSold).toBe(false);
    });
  });

  it('keeps a deal that one of the two has rated', () => {
    each((state, action, _, outcome) => {
      if (action === 'undo' && 'state' in outcome) expect(state).toMatchObject({ isRated: false, isOver: false });
    });
  });

  it('stays possible whatever happens to it', () => {
    for (const state of STATES)
      for (const incident of INCIDENTS) expect(isPossible(undergo(state, incident)), incident).toBe(true);
  });
});

describe('a deal from offer to sale', () => {
  it('reserves the ad for the buyer, also if the buyer accepts', () => {
    for (const by of SIDES) {
      const other = by === 'seller' ? 'buyer' : 'seller';
      expect(stateAfter(act(open(by), 'accept', other))).toMatchObject({
        reservedFor: 'buyer',
        offer: { status: 'accepted' },
      });
    }
  });

  it('turns a countered offer into one of the other side', () => {
    expect(stateAfter(act(open('buyer'), 'counter', 'seller')).offer).toEqual({ by: 'seller', status: 'open' });
  });

  it('ends the reservation and the open offer with the sale', () => {
    const state = { ...open('buyer'), reservedFor: 'other' as const };
    expect(stateAfter(act(state, 'sell_elsewhere', 'seller'))).toMatchObject({
      isSold: true,
      soldTo: null,
      reservedFor: null,
      offer: { status: 'void' },
    });
  });

  it('keeps the ad sold when the buyer says that they did not buy it', () => {
    const sold = stateAfter(act(AVAILABLE, 'sell_to_buyer', 'seller'));
    expect(stateAfter(act(sold, 'undo', 'buyer'))).toMatchObject({ isSold: true, soldTo: null });
    expect(act({ ...sold, isOver: true }, 'undo', 'buyer')).toEqual({ refusal: 'too_late' });
    expect(act({ ...sold, isRated: true }, 'undo', 'buyer')).toEqual({ refusal: 'has_rating' });
  });

  it('says the state as it is now', () => {
    expect(act({ ...open('buyer'), isSold: true, offer: { by: 'buyer', status: 'void' } }, 'accept', 'seller')).toEqual(
      {
        refusal: 'void',
      },
    );
    expect(act({ ...open('buyer'), offer: { by: 'buyer', status: 'expired' } }, 'accept', 'seller')).toEqual({
      refusal: 'expired',
    });
    expect(act({ ...open('buyer'), reservedFor: 'other' }, 'accept', 'seller')).toEqual({ refusal: 'reserved' });
    expect(act(open('buyer'), 'make', 'buyer')).toEqual({ refusal: 'has_open_offer' });
    expect(act({ ...AVAILABLE, isNegotiable: false }, 'make', 'buyer')).toEqual({ refusal: 'fixed_price' });
    expect(act({ ...AVAILABLE, ad: 'closed' }, 'make', 'buyer')).toEqual({ refusal: 'unavailable' });
    expect(act({ ...AVAILABLE, ad: 'deleted' }, 'reserve', 'seller')).toEqual({ refusal: 'deleted' });
  });
});

describe('an incident', () => {
  it('ends only what it concerns', () => {
    expect(undergo(open('buyer'), 'offer_expires').offer?.status).toBe('expired');
    expect(undergo({ ...AVAILABLE, reservedFor: 'buyer' }, 'reservation_ends').reservedFor).toBeNull();
    expect(undergo({ ...open('seller'), reservedFor: 'buyer' }, 'shut_out')).toMatchObject({
      offer: { status: 'void' },
      reservedFor: null,
    });
    expect(undergo({ ...AVAILABLE, reservedFor: 'other' }, 'shut_out').reservedFor).toBe('other');
  });
});
