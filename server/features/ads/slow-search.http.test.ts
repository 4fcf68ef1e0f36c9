import { expect, test } from 'vitest';
import * as api from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();

test('a search that takes too long is cut off and says so; the next one is answered', async () => {
  await insertCategories(app);
  const client = await signIn((await insertUser(app)).id);
  await client.ok(api.createAd, { body: adBody({ title: 'Bicycle' }) });
  // ads that take ten minutes to read stand for too many of them
  await app.db.raw(
    `alter table listed_ads rename to real_ads;
     create view listed_ads as select * from real_ads where pg_sleep(600) is not null`,
  );
  const { status, body } = await anonymous.call(api.listAds, { query: { search: 'bicycle' } });
  expect({ status, ...body }).toMatchObject({
    status: 503,
    code: 'overloaded',
    message: 'This search takes too long. Please try other words or filters.',
  });

  await app.db.raw('drop view listed_ads; alter table real_ads rename to listed_ads');
  expect(await anonymous.ok(api.listAds, { query: { search: 'bicycle' } })).toHaveLength(1);
});
