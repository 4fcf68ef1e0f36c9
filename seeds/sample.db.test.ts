import { expect, test } from 'vitest';
import { getAd } from '../contract/ads.ts';
import { listInbox } from '../contract/messages.ts';
import { openTestApp } from '../test/harness/app.ts';
import { insertCategories } from '../test/harness/factories.ts';
import { SAMPLE_ADS, SAMPLE_USERS, seedSample } from './sample.ts';

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
});
