import { expect, test } from 'vitest';
import { getAd } from '../contract/ads.ts';
import { listInbox } from '../contract/messages.ts';
import { openTestApp } from '../test/app.ts';
import { insertCategories } from '../test/factories.ts';
import { seedSample } from './sample.ts';
import { SAMPLE_ADS, SAMPLE_USERS } from './sample-content.ts';

const { app, signIn } = await openTestApp();

test('the sample people get ads with pictures and a conversation, once, however often it runs', async () => {
  await insertCategories(app);
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
