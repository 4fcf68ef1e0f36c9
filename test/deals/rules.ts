// What each step of a history leads to by the rules: the pure state machine, for all people and ads at once.
import { type Action, act, type DealState, type Side } from '../../server/features/deals/state-machine.ts';
import type { AdModel, OfferModel, SaleModel, World } from './world.ts';

/** What a person does. Ids are those of the database; `by` is the person. */
export type Step = { by: string } & (
  | { do: 'write' | 'make'; ad: string; to: string }
  | { do: 'accept' | 'decline' | 'counter' | 'withdraw'; offer: string }
  | { do: 'reserve'; ad: string; to: string }
  | { do: 'release' | 'sell_elsewhere' | 'relist' | 'delete'; ad: string }
  | { do: 'sell_to_buyer'; ad: string; to: string }
  | { do: 'undo'; deal: string }
  | { do: 'rate'; deal: string; value: 'good' | 'neutral' | 'bad' }
  | { do: 'reply'; rating: string }
  | { do: 'block' | 'unblock' | 'ban' | 'suspend' | 'lift'; to: string }
  | { do: 'run_jobs' }
);

/**
 * `ok`; `no`: not for this person, or not possible at all (4xx); otherwise the state that the 409 names, which is empty
 * where there is nothing to name.
 */
export type Result = 'ok' | 'no' | `409 ${string}`;

const isOut = (world: World, id: string) => world.people.some((person) => person.id === id && person.isOut);
const isDeleted = (world: World, id: string) => world.people.some((person) => person.id === id && person.isDeleted);
const isBlocked = (world: World, by: string, to: string) => world.blocks.some(([a, b]) => a === by && b === to);
const areApart = (world: World, a: string, b: string) => isBlocked(world, a, b) || isBlocked(world, b, a);
const currentSale = (world: World, ad: AdModel) => world.sales.find((sale) => sale.ad === ad.id && sale.isCurrent);

const endOffers = (world: World, isConcerned: (ad: AdModel, buyer: string) => boolean) => {
  for (const ad of world.ads) {
    for (const offer of ad.offers) if (offer.status === 'open' && isConcerned(ad, offer.buyer)) offer.status = 'void';
    if (ad.reservedFor !== null && isConcerned(ad, ad.reservedFor)) ad.reservedFor = null;
  }
};

const toState = (world: World, ad: AdModel, buyer: string, offer: OfferModel | undefined): DealState => {
  const sale = currentSale(world, ad);
  const toHolder = (id: string | null | undefined) => (id ? (id === buyer ? 'buyer' : 'other') : null);
  const isShut = isOut(world, ad.seller) || isOut(world, buyer) || areApart(world, ad.seller, buyer);
  return {
    ad: ad.state === 'deleted' ? 'deleted' : ad.state === 'hidden' || isShut ? 'closed' : 'open',
    isNegotiable: ad.isNegotiable,
    isSold: ad.isSold,
    reservedFor: toHolder(ad.reservedFor),
    offer: offer ? { by: offer.by, status: offer.status } : null,
    soldTo: toHolder(sale?.buyer),
    isRated: (sale?.ratings.length ?? 0) > 0,
    isOver: sale?.isOver ?? false,
  };
};

/** Applies an action of the state machine to the world. */
const apply = (
  world: World,
  ad: AdModel,
  { action, side, buyer, offer }: { action: Action; side: Side; buyer: string; offer?: OfferModel | undefined },
): Result => {
  const newest = offer ?? ad.offers.findLast((each) => each.buyer === buyer);
  const before = toState(world, ad, buyer, newest);
  const outcome = act(before, action, side);
  if ('refusal' in outcome)
    return outcome.refusal === 'forbidden' || outcome.refusal === 'deleted' ? 'no' : `409 ${outcome.refusal}`;
  const after = outcome.state;
  if (action === 'make' || action === 'counter') {
    if (newest?.status === 'open') newest.status = 'countered';
    ad.offers.push({ id: 'new', buyer, by: side, status: 'open' });
  } else if (newest && after.offer) newest.status = after.offer.status;
  if (after.reservedFor !== 'other') ad.reservedFor = after.reservedFor && buyer;
  ad.isSold = after.isSold;
  if (after.ad === 'deleted') ad.state = 'deleted';
  if (after.isSold || after.ad === 'deleted') endOffers(world, (each) => each === ad);
  const sale = currentSale(world, ad);
  if (sale && !after.isSold) {
    sale.isCurrent = false;
    if (sale.ratings.length === 0) world.sales.splice(world.sales.indexOf(sale), 1);
  }
  if (action === 'sell_to_buyer') {
    const people = { seller: ad.seller, buyer };
    world.sales.push({ id: 'new', ad: ad.id, ...people, isCurrent: true, isOver: false, ratings: [] });
  }
  return 'ok';
};

const findSale = (world: World, id: string, by: string): SaleModel | undefined =>
  world.sales.find((sale) => sale.id === id && [sale.seller, sale.buyer].includes(by));

const rate = (world: World, sale: SaleModel | undefined, by: string): Result => {
  const rated = sale && (by === sale.seller ? sale.buyer : sale.seller);
  if (!sale || !rated || isDeleted(world, rated)) return 'no';
  if (sale.ratings.some(({ rater }) => rater === by)) return '409 rated';
  if (sale.isOver) return '409 too_late';
  sale.ratings.push({ id: 'new', rater: by, rated, isPublic: false, hasReply: false });
  if (sale.ratings.length === 2) for (const rating of sale.ratings) rating.isPublic = true;
  return 'ok';
};

const write = (world: World, ad: AdModel | undefined, by: string, to: string): Result => {
  if (!ad || ad.state === 'deleted' || isOut(world, to) || areApart(world, by, to)) return 'no';
  const buyer = by === ad.seller ? to : by;
  if (ad.begun.includes(buyer) && [by, to].includes(ad.seller)) return 'ok';
  if (to !== ad.seller || ad.state !== 'open') return 'no';
  ad.begun.push(by);
  return 'ok';
};

const run = (world: World, step: Step): Result => {
  const { by } = step;
  if (isOut(world, by)) return 'no';
  switch (step.do) {
    case 'run_jobs':
      return 'ok';
    case 'ban':
    case 'suspend': {
      const person = world.people.find(({ id }) => id === step.to)!;
      if (step.do === 'suspend' && person.isBanned) return '409 ';
      person.isBanned ||= step.do === 'ban';
      person.isOut = true;
      endOffers(world, (ad, buyer) => ad.seller === step.to || buyer === step.to);
      return 'ok';
    }
    case 'lift':
      Object.assign(world.people.find(({ id }) => id === step.to)!, { isOut: false, isBanned: false });
      return 'ok';
    case 'block':
      // the profile of a person who is shut out is hidden, unless the two have written to each other
      if (isOut(world, step.to) && !isBlocked(world, by, step.to) && !haveWritten(world, by, step.to)) return 'no';
      if (!isBlocked(world, by, step.to)) world.blocks.push([by, step.to]);
      endOffers(world, (ad, buyer) => [by, step.to].every((id) => id === ad.seller || id === buyer));
      return 'ok';
    case 'unblock':
      world.blocks = world.blocks.filter(([a, b]) => a !== by || b !== step.to);
      return 'ok';
    case 'rate':
      return rate(world, findSale(world, step.deal, by), by);
    case 'reply': {
      const rating = world.sales.flatMap(({ ratings }) => ratings).find(({ id }) => id === step.rating);
      if (!rating?.isPublic || rating.rated !== by) return 'no';
      if (rating.hasReply) return '409 ';
      rating.hasReply = true;
      return 'ok';
    }
    case 'undo': {
      const sale = findSale(world, step.deal, by);
      if (sale?.buyer !== by) return 'no';
      if (sale.ratings.length > 0) return '409 has_rating';
      if (sale.isOver) return '409 too_late';
      world.sales.splice(world.sales.indexOf(sale), 1);
      return 'ok';
    }
    case 'accept':
    case 'decline':
    case 'counter':
    case 'withdraw': {
      const ad = world.ads.find(({ offers }) => offers.some(({ id }) => id === step.offer));
      const offer = ad?.offers.find(({ id }) => id === step.offer);
      if (!ad || !offer || (by !== ad.seller && by !== offer.buyer)) return 'no';
      const side = by === ad.seller ? 'seller' : 'buyer';
      return apply(world, ad, { action: step.do, side, buyer: offer.buyer, offer });
    }
    default:
      return aboutAd(world, step);
  }
};

const haveWritten = ({ ads }: World, a: string, b: string) =>
  ads.some(({ seller, begun }) => (seller === a && begun.includes(b)) || (seller === b && begun.includes(a)));

const aboutAd = (world: World, step: Extract<Step, { ad: string }>): Result => {
  const { by } = step;
  const ad = world.ads.find(({ id }) => id === step.ad);
  const isSeller = by === ad?.seller;
  if (!ad || ad.state === 'deleted') return 'no';
  switch (step.do) {
    case 'write':
      return write(world, ad, by, step.to);
    case 'make': {
      const buyer = isSeller ? step.to : by;
      const hasBegun = ad.begun.includes(buyer);
      const mayWrite = hasBegun ? [by, step.to].includes(ad.seller) : step.to === ad.seller && ad.state === 'open';
      if (!mayWrite || isOut(world, step.to) || areApart(world, by, step.to)) return 'no';
      const result = apply(world, ad, { action: 'make', side: isSeller ? 'seller' : 'buyer', buyer });
      if (result === 'ok' && !hasBegun) ad.begun.push(buyer);
      return result;
    }
    case 'release':
      if (!isSeller && (ad.state !== 'open' || isOut(world, ad.seller))) return 'no';
      if (ad.reservedFor === null) return 'ok';
      if (!isSeller) return apply(world, ad, { action: 'release', side: 'buyer', buyer: by });
      return apply(world, ad, { action: 'release', side: 'seller', buyer: ad.reservedFor });
    case 'reserve':
    case 'sell_to_buyer': {
      if (!isSeller || !ad.begun.includes(step.to) || isDeleted(world, step.to)) return 'no';
      if (step.do === 'sell_to_buyer' && areApart(world, by, step.to)) return 'no';
      return apply(world, ad, { action: step.do, side: 'seller', buyer: step.to });
    }
    case 'sell_elsewhere':
      if (!isSeller) return 'no';
      // a repetition changes nothing
      return ad.isSold ? 'ok' : apply(world, ad, { action: step.do, side: 'seller', buyer: '' });
    default:
      return isSeller ? apply(world, ad, { action: step.do, side: 'seller', buyer: '' }) : 'no';
  }
};

const permute = <T>(items: readonly T[]): T[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item, i) => permute(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));

/** What each order of the steps leads to. Of steps at the same moment, one of them must be what happened. */
export const predict = (before: World, steps: readonly Step[]): { world: World; results: Result[] }[] =>
  permute(steps.map((_, i) => i)).map((order) => {
    const world = structuredClone(before);
    const results: Result[] = [];
    for (const i of order) results[i] = run(world, steps[i]!);
    return { world, results };
  });
