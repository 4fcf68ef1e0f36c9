import { beforeAll, describe, expect, test } from 'vitest';
import type { AppContext } from '../../server/app-context.ts';
import type { Trx } from '../../server/db/pools.ts';
import { inTransaction, withDatabase } from '../../server/db/transaction.ts';
import { ban, deleteMe, suspend } from '../../server/features/account/removal.ts';
import { deleteAd } from '../../server/features/ads/service.ts';
import { blockUser } from '../../server/features/blocks/service.ts';
import { expireOffers } from '../../server/features/offers/expiry.ts';
import * as offers from '../../server/features/offers/service.ts';
import { setAdSold } from '../../server/features/sales/service.ts';
import { lockUserForUpdate } from '../../server/features/users/repository.ts';
import { openTestApp } from '../harness/app.ts';
import { counter, make, meet, meetWithOffers, respond } from '../harness/deals.ts';
import { insertCategories } from '../harness/factories.ts';

const site = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });
const { app } = site;

beforeAll(() => insertCategories(app));

type Met = Awaited<ReturnType<typeof meetWithOffers>>;

const untilWaiting = () =>
  expect
    .poll(() =>
      app
        .db('pg_stat_activity')
        .where({ wait_event_type: 'Lock' })
        .whereRaw('datname = current_database()')
        .first('pid'),
    )
    .toBeDefined();

/** Runs both at once: the second begins before the first commits, and waits for its locks. */
const overlap = async <R>(first: (ctx: AppContext) => Promise<unknown>, second: () => Promise<R>): Promise<R> => {
  const trx = await app.db.transaction();
  try {
    await first(withDatabase(app, trx));
    const waiting = second();
    // its result is awaited below
    waiting.catch(() => {});
    await untilWaiting();
    await trx.commit();
    return await waiting;
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
  }
};

const shutOut =
  (how: (trx: Trx, user: NonNullable<Awaited<ReturnType<typeof lockUserForUpdate>>>) => Promise<void>) =>
  (ctx: AppContext, { buyer }: Met) =>
    inTransaction(ctx.db, async (trx) => how(trx, (await lockUserForUpdate(trx, buyer.id))!));

const endTime = (id: string) =>
  app
    .db('offers')
    .where({ id })
    .update({
      created_at: app.db.raw("now() - interval '49 hours'"),
      expires_at: app.db.raw("now() - interval '1 hour'"),
    });

/** What makes an open offer void and ends a reservation. */
type Incident = (ctx: AppContext, met: Met) => Promise<unknown>;

const INCIDENTS: Record<string, Incident> = {
  'a block by the buyer': (ctx, { seller, buyer }) => blockUser(ctx, buyer.actor, seller.id),
  'a block by the seller': (ctx, { seller, buyer }) => blockUser(ctx, seller.actor, buyer.id),
  'a ban of the buyer': shutOut((trx, user) => ban(trx, user, null)),
  'a suspension of the buyer': shutOut((trx, user) => suspend(trx, user, 1)),
  'the deletion of the buyer': (ctx, { buyer }) => deleteMe(ctx, buyer.actor),
  'the deletion of the ad': (ctx, { seller, ad }) => deleteAd(ctx, seller.actor, ad.id),
  'the sale of the ad': (ctx, { seller, ad }) => setAdSold(ctx, seller.actor, ad.id, { isSold: true }),
};

const readState = async ({ ad, id }: Met) => ({
  offer: (await app.db('offers').where({ id }).first('status')).status,
  reservations: await app.db('reservations').where({ ad_id: ad.id }).pluck('user_id'),
});

describe.each(Object.entries(INCIDENTS))('accepting an offer during %s', (_name, happen) => {
  test('is refused if it comes second', async () => {
    const met = await meetWithOffers(site);
    const { status, body } = await overlap(
      (ctx) => happen(ctx, met),
      () => respond(met.seller, met.id, 'accept'),
    );
    expect([status, body.code, body.fields]).toEqual([409, 'conflict', { state: 'void' }]);
    expect(await readState(met)).toEqual({ offer: 'void', reservations: [] });
  });

  test('reserves nothing in the end if it comes first', async () => {
    const met = await meetWithOffers(site);
    await overlap(
      (ctx) => offers.acceptOffer(ctx, met.seller.actor, met.id),
      () => happen(app, met),
    );
    expect(await readState(met)).toEqual({ offer: 'accepted', reservations: [] });
  });
});

test('of two buyers who are accepted at once, one gets the ad', async () => {
  for (let round = 0; round < 5; round++) {
    const met = await meetWithOffers(site, 2);
    const responses = await Promise.all(met.ids.map((id) => respond(met.seller, id, 'accept')));
    const [won, lost] = responses.toSorted((a, b) => a.status - b.status);
    expect([won?.status, lost?.status, lost?.body.fields]).toEqual([200, 409, { state: 'reserved' }]);
    const winner = met.buyers[responses.indexOf(won!)]!;
    expect((await readState(met)).reservations).toEqual([winner.id]);
  }
});

test('of two buyers who accept counters at once, one gets the ad', async () => {
  const met = await meetWithOffers(site, 2);
  const counters: string[] = [];
  for (const id of met.ids) counters.push((await counter(met.seller, id, '45')).body.offer.id);
  const responses = await Promise.all(met.buyers.map((buyer, i) => respond(buyer, counters[i]!, 'accept')));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await app.db('reservations').where({ ad_id: met.ad.id })).toHaveLength(1);
});

test('of responses and a withdrawal at once, one takes effect, and the others say which', async () => {
  for (let round = 0; round < 5; round++) {
    const met = await meetWithOffers(site);
    const { seller, buyer, id } = met;
    const responses = await Promise.all([
      respond(seller, id, 'accept'),
      respond(seller, id, 'decline'),
      counter(seller, id, '45'),
      respond(buyer, id, 'withdraw'),
      respond(seller, id, 'accept'),
    ]);
    const { offer, reservations } = await readState(met);
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
    for (const { status, body } of responses.filter(({ status }) => status >= 300))
      expect([status, body.fields]).toEqual([409, { state: offer }]);
    expect(reservations).toEqual(offer === 'accepted' ? [buyer.id] : []);
    const open = await app.db('offers').where({ ad_id: met.ad.id, status: 'open' });
    expect(open).toHaveLength(offer === 'countered' ? 1 : 0);
  }
});

test('of many offers at once from both sides, one is made', async () => {
  const { seller, ad, buyer } = await meet(site);
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      i % 2 === 0 ? make(buyer, ad.id, seller, String(40 + i)) : make(seller, ad.id, buyer, String(40 + i)),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status, body } of responses.filter(({ status }) => status !== 201))
    expect([status, body.fields]).toEqual([409, { state: 'has_open_offer' }]);
  expect(await app.db('offers').where({ ad_id: ad.id })).toHaveLength(1);
  expect(await app.db('messages').where({ ad_id: ad.id })).toHaveLength(2);
});

test('an offer whose time is over is not accepted, whether the job comes before, after or at once', async () => {
  for (const others of [[], [() => expireOffers(app)], [() => expireOffers(app), () => expireOffers(app)]]) {
    const met = await meetWithOffers(site);
    await endTime(met.id);
    const [{ status, body }] = await Promise.all([
      respond(met.seller, met.id, 'accept'),
      ...others.map((other) => other()),
    ]);
    expect([status, body.fields]).toEqual([409, { state: 'expired' }]);
    await expireOffers(app);
    expect(await readState(met)).toEqual({ offer: 'expired', reservations: [] });
    const titles = await app.db('notifications').where({ user_id: met.buyer.id, kind: 'offer' }).pluck('title');
    expect(titles).toEqual(['Your offer of $40 has expired']);
  }
});

test('a block and an offer at once leave no open offer between the two', async () => {
  for (let round = 0; round < 5; round++) {
    const { seller, ad, buyer } = await meet(site);
    const [made] = await Promise.all([make(buyer, ad.id, seller), blockUser(app, seller.actor, buyer.id)]);
    expect([201, 403]).toContain(made.status);
    expect(await app.db('offers').where({ ad_id: ad.id, status: 'open' })).toEqual([]);
  }
});
