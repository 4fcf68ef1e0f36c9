import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { listRoundTrips, untilUndisturbed } from '../../../test/harness/round-trips.ts';

const { app, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

test('an ad with images takes eighteen statements', async () => {
  const seller = await signIn((await insertUser(app)).id);
  const imageUrls = await Promise.all(
    [1, 2].map(async (seed) => toDataUrl(await makePhoto({ seed, width: 160, height: 120 }))),
  );
  await seller.ok(createAd, { body: adBody({ imageUrls }) });

  await untilUndisturbed(async () => {
    const trips = await listRoundTrips(() => seller.ok(createAd, { body: adBody({ imageUrls }) }));
    expect(trips.flat()).toHaveLength(18);
  });
});
