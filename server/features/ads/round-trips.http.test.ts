import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { uploadPhoto } from '../../../contract/photos.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto } from '../../../test/harness/photos.ts';
import { listRoundTrips, untilUndisturbed } from '../../../test/harness/round-trips.ts';

const { app, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

test('an ad with images takes nineteen statements', async () => {
  const seller = await signIn((await insertUser(app)).id);
  const photos = await Promise.all([1, 2].map((seed) => makePhoto({ seed, width: 160, height: 120 })));
  const upload = async () => {
    const uploaded = [];
    for (const body of photos) uploaded.push((await seller.ok(uploadPhoto, { body })).url);
    return uploaded;
  };
  await seller.ok(createAd, { body: adBody({ imageUrls: await upload() }) });

  await untilUndisturbed(async () => {
    const imageUrls = await upload();
    const trips = await listRoundTrips(() => seller.ok(createAd, { body: adBody({ imageUrls }) }));
    expect(trips.flat()).toHaveLength(19);
  });
});
