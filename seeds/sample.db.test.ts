import { expect, test } from 'vitest';
import { getAd, listAds } from '../contract/ads.ts';
import { listInbox } from '../contract/messages.ts';
import { listNotifications } from '../contract/notifications.ts';
import { getCase, listCases, listMyDecisions } from '../contract/reports.ts';
import { readTestUsers } from '../server/http/pages/render.ts';
import { openTestApp } from '../test/harness/app.ts';
import { insertCategories } from '../test/harness/factories.ts';
import { SAMPLE_ADS, seedSample } from './sample.ts';
import { CITIES } from './sample-cities.ts';
import { SAMPLE_USERS } from './sample-users.ts';

const { app, signIn } = await openTestApp();

/** The first transaction that inserts users conflicts with another one. */
const failOnce = () =>
  app.db.raw(`
    create sequence tries;
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'try again' using errcode = '40001'; end if;
      return null;
    end $$;
    create trigger fail_once after insert on users execute function fail_once();
  `);

test('the sample people get ads with photos and a conversation once, however often it runs, also when Postgres makes it retry', async () => {
  await insertCategories(app);
  const salem = { id: CITIES.salem.placeId, name: 'Salem', region: 'Oregon', country: 'US' };
  await app.db('places').insert({ ...salem, lat: 44.9429, lng: -123.0351, population: 175535 });
  await failOnce();
  const made = await Promise.all([seedSample(app), seedSample(app)]);
  expect(made.toSorted()).toEqual([false, true]);
  expect(await seedSample(app)).toBe(false);
  expect(await app.db('ads').count()).toEqual([{ count: String(SAMPLE_ADS.length) }]);

  const seller = await signIn(SAMPLE_USERS.seller.id);
  const [messages] = Object.values(await seller.ok(listInbox));
  expect(messages?.[0]).toMatchObject({ isRead: false, sender: { username: 'buyer_two' } });
  const ad = await seller.ok(getAd, { params: { id: messages![0]!.adId } });
  expect(ad.images).toHaveLength(2);
  const [sweater] = await seller.ok(listAds, { query: { search: 'sweater striped' } });
  expect(sweater).toMatchObject({ price: '45.00', oldPrice: '60.00' });
  expect(sweater!.images).toHaveLength(1);
  const inSalem = SAMPLE_ADS.filter(({ placeId, isSold }) => placeId === CITIES.salem.placeId && !isSold);
  expect(await app.db('places').select('ads')).toEqual([{ ads: inSalem.length }]);
});

test('the queue holds an ad that is almost held, a message, a person and an appeal, which the moderator can decide', async () => {
  const moderator = await signIn(SAMPLE_USERS.moderator.id);
  const open = await moderator.ok(listCases);
  expect(open.map(({ targetType, weight, reasons }) => [targetType, weight, reasons.toSorted()])).toEqual([
    ['ad', 2.25, ['counterfeit', 'scam', 'wrong_category']],
    ['user', 1, ['other']],
    ['message', 1, ['scam']],
    ['decision', 0, []],
  ]);
  const { state } = (await app.db('ads').where({ id: open[0]!.targetId }).first())!;
  expect(state).toBe('active');
  const shown = await Promise.all(open.map(({ id }) => moderator.ok(getCase, { params: { id } })));
  expect(shown.map(({ actions }) => actions.length)).toEqual([4, 3, 3, 2]);
  expect(shown[2]!.reported.messages).toHaveLength(3);

  const dealer = await signIn(SAMPLE_USERS.dealer.id);
  expect(await dealer.ok(listMyDecisions)).toMatchObject([{ action: 'remove', appeal: { status: 'open' } }]);
  expect(await dealer.ok(listNotifications)).toMatchObject([{ kind: 'decision', isRead: false }]);
  expect(await (await signIn(SAMPLE_USERS.buyer.id)).ok(listNotifications)).toMatchObject([
    { kind: 'report_outcome', title: 'We removed the ad you reported.' },
  ]);
});

test('the development panel offers the two sample users of the specification', async () => {
  const config = { ...app.config, isProduction: false, authTestUsers: true };
  expect(await readTestUsers({ ...app, config })).toMatchObject([
    { username: 'seller_one' },
    { username: 'buyer_two' },
  ]);
});
