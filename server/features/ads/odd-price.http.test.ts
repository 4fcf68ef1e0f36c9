import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, updateAd } from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { say } from '../../error-phrases.ts';
import { findOddity } from './odd-price.ts';

const { app, createPerson } = await openTestApp();
beforeAll(() => insertCategories(app));

describe('an odd price', () => {
  test.each([
    ['0.00', 'fixed', 10, /is 0/],
    ['0.00', 'wanted', null, /is 0/],
    ['0.00', 'free', 10, undefined],
    ['10000.00', 'fixed', 10, undefined],
    ['10000.01', 'fixed', 10, 'This is an unusually high price for Books.'],
    ['99999999.99', 'fixed', null, undefined],
  ] as const)('%s %s where the median is %s', (price, price_type, median, expected) => {
    const oddity = findOddity({ price, price_type }, 'Books', median);
    if (expected === undefined) expect(oddity).toBeUndefined();
    else expect(say(oddity!)).toMatch(expected);
  });
});

test('asks about an odd price once, of a new ad and when an edit changes it', async () => {
  const { client, id: user_id } = await createPerson();
  const asked = await client.call(createAd, { body: adBody({ price: '0' }) });
  const message = 'The price is 0. To give it away, choose "Free" as the kind of price.';
  expect([asked.status, asked.body]).toMatchObject([409, { code: 'odd_price', message, fields: { price: message } }]);
  const { id } = await client.ok(createAd, { body: adBody({ price: '0', confirmPrice: true }) });
  const edit = (change: object) => client.call(updateAd, { params: { id }, body: adBody({ price: '0', ...change }) });
  expect((await edit({ title: 'Another title' })).status).toBe(200);

  const [category] = await app.db('categories').where({ slug: 'electronics' }).select('id');
  const prices = Array.from({ length: 20 }, (_, n) => ({
    user_id,
    category_id: category!.id,
    title: `Radio ${n}`,
    description: 'Works',
    price: '50',
  }));
  await app.db('ads').insert(prices);
  const high = { category: 'electronics', price: '50000.01' };
  expect((await edit(high)).body).toMatchObject({ code: 'odd_price' });
  expect((await edit({ ...high, price: '50000' })).status).toBe(200);
  expect((await edit({ ...high, confirmPrice: true })).status).toBe(200);
  expect((await edit({ ...high, title: 'A third title' })).status).toBe(200);

  // of a category with few ads, what all ads cost says something
  const highest = { category: 'books', price: '5000000.01' };
  expect((await edit(highest)).body).toMatchObject({ code: 'odd_price' });
  expect((await edit({ ...highest, price: '5000000' })).status).toBe(200);
});
