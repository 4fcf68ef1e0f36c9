// Random histories of a few people: HISTORY_SEEDS=5000 runs more of them, HISTORY_SEED=17 repeats one.

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { banUser, suspendUser, unbanUser } from '../../contract/admin.ts';
import { createAd, deleteAd, setAdSold } from '../../contract/ads.ts';
import { blockUser, unblockUser } from '../../contract/blocks.ts';
import { type DealRefusal, releaseAd, reserveAd, undoPurchase } from '../../contract/deals.ts';
import { t } from '../../contract/i18n.ts';
import { sendMessage } from '../../contract/messages.ts';
import * as offers from '../../contract/offers.ts';
import { rateDeal, replyToRating } from '../../contract/ratings.ts';
import { createRandom } from '../../seeds/demo/random.ts';
import { jobHandlers } from '../../server/job-handlers.ts';
import type { JobName, JobRun } from '../../server/jobs/queue.ts';
import { openTestApp, type TestApp } from '../harness/app.ts';
import type { Answer, Client } from '../harness/client.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../harness/factories.ts';
import { JUST_WROTE } from '../harness/sessions.ts';
import { checkDatabase, checkViews } from './invariants.ts';
import { predict, type Result, type Step } from './rules.ts';
import { normalize, readWorld, type World } from './world.ts';

const { HISTORY_SEED, HISTORY_SEEDS = '200' } = process.env;
const SEEDS = HISTORY_SEED ? [Number(HISTORY_SEED)] : Array.from({ length: Number(HISTORY_SEEDS) }, (_, i) => i + 1);
const MOMENTS = 12;

/** The same database at later times: offers, reservations, suspensions, deals and the 90 days of a pair end between them. */
const today = await openTestApp();
const sites = [today];
for (const later of ['49h', '8d', '15d', '23d', '115d']) sites.push(await today.openLater(later));

beforeAll(() => insertCategories(today.app));

const RUN: JobRun = { attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
const JOBS = ['expire-offers', 'end-reservations', 'reveal-ratings', 'end-suspensions'] as const satisfies JobName[];

interface Cast {
  sellers: string[];
  buyers: string[];
  admin: string;
  everyone: string[];
}

const openCast = async (): Promise<Cast> => {
  const insert = async (columns = {}) => (await insertUser(today.app, { ...SETTLED, ...columns })).id;
  const sellers = [await insert(), await insert()];
  const buyers = [await insert(), await insert(), await insert()];
  return { sellers, buyers, admin: await insert({ role: 'admin' }), everyone: [...sellers, ...buyers] };
};

/** The sessions of the people of one history, per site. A ban ends them. */
const createSessions = () => {
  const clients = new Map<string, Client>();
  return {
    open: async (site: TestApp, id: string): Promise<Client> => {
      const key = `${id} ${site.url}`;
      const known = clients.get(key);
      if (known) return known;
      const client = await site.signIn(id);
      // reads come from the database, not from the response cache
      client.headers.Cookie += `; ${JUST_WROTE}`;
      clients.set(key, client);
      return client;
    },
    forget: (id: string) => {
      for (const key of clients.keys()) if (key.startsWith(`${id} `)) clients.delete(key);
    },
  };
};
type Sessions = ReturnType<typeof createSessions>;

const createDice = (seed: number) => {
  const random = createRandom(seed);
  const chance = (part: number) => random() < part;
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return { chance, pick, whole };
};
type Dice = ReturnType<typeof createDice>;

const KINDS: [Step['do'], number][] = [
  ['write', 12],
  ['make', 16],
  ['accept', 9],
  ['decline', 4],
  ['counter', 6],
  ['withdraw', 4],
  ['reserve', 7],
  ['release', 5],
  ['sell_to_buyer', 12],
  ['sell_elsewhere', 3],
  ['relist', 7],
  ['undo', 4],
  ['rate', 20],
  ['reply', 3],
  ['block', 3],
  ['unblock', 3],
  ['ban', 1],
  ['suspend', 1],
  ['lift', 3],
  ['delete', 2],
  ['run_jobs', 5],
];
const WEIGHTED = KINDS.flatMap(([kind, weight]) => Array<Step['do']>(weight).fill(kind));

/** The next step: usually by a person who may do it, sometimes by any. */
const drawStep = (dice: Dice, world: World, cast: Cast, adId?: string): Step | undefined => {
  const kind = dice.pick(WEIGHTED)!;
  const anyone = dice.pick(cast.everyone)!;
  const isFair = dice.chance(0.9);
  const present = world.ads.filter(({ state }) => state !== 'deleted');
  const ad = world.ads.find(({ id }) => id === adId) ?? dice.pick(isFair && present.length > 0 ? present : world.ads)!;
  const buyer = (isFair && dice.pick(ad.begun)) || dice.pick(cast.buyers)!;
  const bySeller = isFair ? ad.seller : anyone;
  switch (kind) {
    case 'write':
    case 'make': {
      const isSeller = dice.chance(0.35);
      const writer = kind === 'write' ? dice.pick(cast.buyers)! : buyer;
      return { do: kind, ad: ad.id, by: isSeller ? ad.seller : writer, to: isSeller ? writer : ad.seller };
    }
    case 'accept':
    case 'decline':
    case 'counter':
    case 'withdraw': {
      const open = ad.offers.filter(({ status }) => status === 'open');
      const offer = (isFair && dice.pick(open)) || dice.pick(ad.offers);
      if (!offer) return undefined;
      const maker = offer.by === 'seller' ? ad.seller : offer.buyer;
      const receiver = offer.by === 'seller' ? offer.buyer : ad.seller;
      const fair = kind === 'withdraw' ? maker : receiver;
      return { do: kind, offer: offer.id, by: isFair ? fair : dice.pick([maker, receiver, anyone])! };
    }
    case 'reserve':
    case 'sell_to_buyer':
      return { do: kind, ad: ad.id, by: bySeller, to: buyer === bySeller ? dice.pick(cast.buyers)! : buyer };
    case 'release':
      return { do: kind, ad: ad.id, by: (isFair && dice.pick([ad.seller, ad.reservedFor ?? ad.seller])) || anyone };
    case 'sell_elsewhere':
    case 'relist':
    case 'delete':
      return { do: kind, ad: ad.id, by: bySeller };
    case 'undo':
    case 'rate': {
      const sale = dice.pick(world.sales.filter((each) => adId === undefined || each.ad === adId));
      if (!sale) return undefined;
      const fair = kind === 'undo' ? sale.buyer : dice.pick([sale.seller, sale.buyer])!;
      const by = isFair ? fair : anyone;
      if (kind === 'undo') return { do: kind, deal: sale.id, by };
      return { do: kind, deal: sale.id, by, value: dice.pick(['good', 'good', 'neutral', 'bad'] as const)! };
    }
    case 'reply': {
      const rating = dice.pick(world.sales.flatMap(({ ratings }) => ratings));
      return rating && { do: kind, rating: rating.id, by: isFair ? rating.rated : anyone };
    }
    case 'block':
    case 'unblock':
      return { do: kind, by: dice.pick(cast.buyers)!, to: dice.pick(cast.sellers)! };
    case 'ban':
    case 'suspend':
      return { do: kind, by: cast.admin, to: anyone };
    case 'lift':
      return { do: kind, by: cast.admin, to: dice.pick(world.people.filter(({ isOut }) => isOut))?.id ?? anyone };
    default:
      return { do: 'run_jobs', by: cast.admin };
  }
};

let serial = 0;

const request = (client: Client, step: Step): Promise<Answer> => {
  const amount = String(10 + (serial % 50));
  switch (step.do) {
    case 'write':
      return client.call(sendMessage, { body: { adId: step.ad, receiverId: step.to, content: `Message ${++serial}` } });
    case 'make':
      return client.call(offers.makeOffer, { body: { adId: step.ad, receiverId: step.to, amount } });
    case 'accept':
      return client.call(offers.acceptOffer, { params: { id: step.offer } });
    case 'decline':
      return client.call(offers.declineOffer, { params: { id: step.offer } });
    case 'withdraw':
      return client.call(offers.withdrawOffer, { params: { id: step.offer } });
    case 'counter':
      return client.call(offers.counterOffer, { params: { id: step.offer }, body: { amount } });
    case 'reserve':
      return client.call(reserveAd, { params: { id: step.ad }, body: { userId: step.to } });
    case 'release':
      return client.call(releaseAd, { params: { id: step.ad } });
    case 'sell_to_buyer':
      return client.call(setAdSold, { params: { id: step.ad }, body: { isSold: true, buyerId: step.to } });
    case 'sell_elsewhere':
    case 'relist':
      return client.call(setAdSold, { params: { id: step.ad }, body: { isSold: step.do === 'sell_elsewhere' } });
    case 'delete':
      return client.call(deleteAd, { params: { id: step.ad } });
    case 'undo':
      return client.call(undoPurchase, { params: { dealId: step.deal } });
    case 'rate':
      return client.call(rateDeal, { params: { id: step.deal }, body: { value: step.value } });
    case 'reply':
      return client.call(replyToRating, { params: { id: step.rating }, body: { text: 'Thank you.' } });
    case 'block':
      return client.call(blockUser, { params: { userId: step.to } });
    case 'unblock':
      return client.call(unblockUser, { params: { userId: step.to } });
    case 'ban':
      return client.call(banUser, { params: { id: step.to }, body: { reason: 'Scam' } });
    case 'suspend':
      return client.call(suspendUser, { params: { id: step.to }, body: { days: 7, reason: 'scam', note: '' } });
    case 'lift':
      return client.call(unbanUser, { params: { id: step.to } });
    default:
      throw new Error(`no request for ${step.do}`);
  }
};

const toResult = ({ status, body }: Answer): Result => {
  if (status < 300) return 'ok';
  const { code, message, fields } = body as { code: string; message: string; fields?: { state?: DealRefusal } };
  expect({ status, code, message }, 'a refusal').toEqual({
    status: expect.toBeOneOf([400, 401, 403, 404, 409]),
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/./),
  });
  if (status !== 409) return 'no';
  if (fields?.state) expect(message).toBe(t(`errors.deal_${fields.state}`));
  return fields?.state === 'deleted' ? 'no' : `409 ${fields?.state ?? ''}`;
};

const perform = async (site: TestApp, sessions: Sessions, step: Step): Promise<Result> => {
  if (step.do === 'run_jobs') {
    for (const job of JOBS) await jobHandlers[job](site.app, {}, RUN);
    return 'ok';
  }
  return toResult(await request(await sessions.open(site, step.by), step));
};

const post = async (site: TestApp, sessions: Sessions, seller: string, dice: Dice): Promise<void> => {
  const priceType = dice.chance(0.85) ? 'negotiable' : 'fixed';
  await (await sessions.open(site, seller)).ok(createAd, { body: adBody({ price: '50', priceType }) });
};

const runHistory = async (seed: number, log: (line: string) => void): Promise<void> => {
  const dice = createDice(seed);
  const cast = await openCast();
  const sessions = createSessions();
  let hour = 0;
  let site = today;
  const read = () => readWorld(site.app.db, cast.everyone);
  for (const seller of cast.sellers) await post(site, sessions, seller, dice);
  let world = await read();
  // some have written before the history begins
  for (const { id, seller } of world.ads)
    for (const buyer of cast.buyers)
      if (dice.chance(0.6)) await perform(site, sessions, { do: 'write', by: buyer, ad: id, to: seller });
  world = await read();

  for (let moment = 0; moment < MOMENTS; moment++) {
    if (dice.chance(0.12) && hour < sites.length - 1) {
      site = sites[++hour]!;
      log(`time passes: site ${hour}`);
      world = await read();
    } else if (dice.chance(0.05)) {
      const seller = dice.pick(cast.sellers)!;
      if (world.people.some(({ id, isOut }) => id === seller && !isOut)) await post(site, sessions, seller, dice);
      world = await read();
    }
    const count = dice.chance(0.4) ? dice.whole(2, 3) : 1;
    const hotAd = count > 1 ? dice.pick(world.ads)!.id : undefined;
    const steps: Step[] = [];
    while (steps.length < count) {
      const step = drawStep(dice, world, cast, hotAd);
      if (step) steps.push(step);
    }
    const results = await Promise.all(steps.map((step) => perform(site, sessions, step)));
    for (const [i, step] of steps.entries()) {
      log(`${i > 0 ? '  at once ' : ''}${JSON.stringify(step)} → ${results[i]}`);
      if (step.do === 'ban') sessions.forget(step.to);
    }
    const after = await read();
    const seen = { results, world: normalize(after) };
    const expected = predict(world, steps).map((each) => ({ results: each.results, world: normalize(each.world) }));
    // of one step the state machine says what it leads to; of several at once, some order of them did
    const same = expected.filter((each) => isDeepStrictEqual(each.results, results));
    if (!same.some((each) => isDeepStrictEqual(each, seen))) expect(seen).toEqual(same[0] ?? expected[0]);
    world = after;
    await checkDatabase(site.app.db, world, cast.everyone);
    const viewer = dice.pick(world.people.filter(({ isOut }) => !isOut));
    const isLast = moment === MOMENTS - 1;
    if (viewer && (dice.chance(0.3) || isLast))
      await checkViews(site.app.db, world, viewer.id, await sessions.open(site, viewer.id));
  }
};

test.each(SEEDS)('a random history (seed %i) keeps every rule, and goes as the state machine says', async (seed) => {
  const lines: string[] = [];
  try {
    await runHistory(seed, (line) => lines.push(line));
  } catch (error) {
    console.error(`Repeat with HISTORY_SEED=${seed}\n${lines.join('\n')}`);
    throw error;
  }
});
