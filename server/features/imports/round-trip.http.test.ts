import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { uploadPhoto } from '../../../contract/photos.ts';
import { openTestApp, type TestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import {
  adBody,
  insertCategories,
  insertPlaces,
  insertUser,
  PLACES,
  SETTLED,
} from '../../../test/harness/factories.ts';
import { makePhoto } from '../../../test/harness/photos.ts';
import { setAdPaused } from '../ads/own-ads.ts';
import { fetchPhotos } from './photos.ts';

const [first, second] = [await openTestApp(), await openTestApp()];
const dir = mkdtempSync(join(tmpdir(), 'round-trip-'));
afterAll(() => rmSync(dir, { recursive: true }));
beforeAll(async () => {
  for (const { app } of [first, second]) {
    await insertCategories(app);
    await insertPlaces(app);
  }
});

const marketctl = ({ app, url }: TestApp, args: string) =>
  runCli(args, { env: { DATABASE_URL: app.config.databaseUrl, PUBLIC_URL: url } });

const HARD = [
  { title: "=1+1 & 'two'", description: '-3 degrees\n\n"quoted", <b>not bold</b> &amp; so on', price: '0.50' },
  { title: "'=apostrophe", description: '@handle\tand a tab; and, commas', price: '1234.5', priceType: 'negotiable' },
  { title: '+49 number', description: '  ＝wide', price: '0', priceType: 'free', condition: 'for_parts' },
] as const;

/** What people see of ads, without what belongs to one marketplace. */
const listContents = async ({ app: { db } }: TestApp, userId: string) =>
  db('ads as a')
    .join('categories as c', 'c.id', 'a.category_id')
    .where({ user_id: userId })
    .orderBy('title')
    .select(
      'title',
      'description',
      'price',
      'price_type',
      'condition',
      'location',
      'place_id',
      'details',
      'allow_messages',
      'is_paused',
      'c.slug',
      db.raw('(select count(*)::int from ad_images i where i.ad_id = a.id) as photos'),
    );

test.each(['csv', 'json'])(
  'ads go out as %s and into a second marketplace, equal field by field, and are the same at home',
  async (format) => {
    const handle = `seller_${format}`;
    const seller = await insertUser(first.app, { ...SETTLED, username: handle });
    const client = await first.signIn(seller.id);
    const photo = await client.ok(uploadPhoto, { body: await makePhoto({ width: 320, height: 240, seed: 3 }) });
    const more = { category: 'clothing', details: { brand: 'Acme, "Inc"', size: 'M' }, placeId: PLACES.berlin.id };
    for (const [at, ad] of HARD.entries())
      await client.ok(createAd, {
        body: adBody({
          location: 'Berlin',
          ...ad,
          ...(at === 0 && { ...more, imageUrls: [photo.url], allowMessages: false }),
        }),
      });
    const [, , last] = await first.app.db('ads').where({ user_id: seller.id }).orderBy('id');
    await setAdPaused(first.app, { kind: 'user', id: seller.id, role: 'user' }, last.id, true);

    const file = join(dir, `ads.${format}`);
    const { stderr } = await marketctl(first, `ad export --user ${handle} -o ${format} --out ${file}`);
    expect(stderr).toContain('has 3 ads');
    if (format === 'csv') expect(readFileSync(file, 'utf8')).toMatch(/^\uFEFFid,title,/);
    const home = await marketctl(first, `import ads ${file} --as ${handle} --yes -o json`);
    expect(home.json(), home.stderr).toMatchObject({ same: 3, new: 0, changed: 0, wrong: 0 });

    const mover = await insertUser(second.app, { username: handle });
    const moved = await marketctl(second, `import ads ${file} --as ${handle} --yes -o json`);
    expect(moved.json(), moved.stderr).toMatchObject({ created: 3, photosWaiting: 1 });
    for (const { ad_id } of await second.app.db('imported_photos')) await fetchPhotos(second.app, ad_id);
    const before = await listContents(first, seller.id);
    expect(before.map(({ photos }) => photos).sort()).toEqual([0, 0, 1]);
    expect(await listContents(second, mover.id)).toEqual(before);
    const again = await marketctl(second, `import ads ${file} --as ${handle} -o json`);
    expect(again.json()).toMatchObject({ same: 3 });
  },
);
