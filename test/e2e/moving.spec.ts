import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import type { OwnAd } from '../../contract/own-ads.ts';
import ar from '../../messages/ar/imports.json' with { type: 'json' };
import { type OwnMarketplace, startOwnMarketplace } from '../harness/own-marketplace.ts';
import { type PhotoHost, startPhotoHost } from '../harness/photo-host.ts';
import { SHOP_SAMPLES, writeShopFile } from '../harness/shop-files.ts';
import { expectAlive } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, signInAs, signInOn } from './people.ts';

// MOVED_ADS=500 moves that many ads
const ADS = Number(process.env.MOVED_ADS ?? 6);

let second: OwnMarketplace;
let shop: PhotoHost;
test.beforeAll(async () => {
  shop = await startPhotoHost();
  second = await startOwnMarketplace({ settings: { LOCALES: 'en,ar' } });
});
test.afterAll(async () => {
  await second?.remove();
  await shop?.close();
});

const give = async (page: Page, button: string, name: string, text: string) => {
  await page.goto('/dashboard?tab=import');
  await expectAlive(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).press('Enter');
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
};

/** Chooses the first category for each word that is not known. */
const chooseCategories = async (page: Page) => {
  const again = page.getByRole('button', { name: 'Read the file again' });
  await expect(page.getByRole('heading', { name: /^Preview of/ })).toBeVisible();
  const words = page.getByRole('combobox').filter({ hasText: 'Furniture' });
  if ((await words.count()) === 0) return;
  for (const word of await words.all()) await word.selectOption('Furniture');
  await again.click();
};

const run = async (page: Page, button: RegExp, done: string) => {
  await page.getByRole('button', { name: button }).click();
  await expect(page.getByRole('heading', { name: done })).toBeVisible({ timeout: 600_000 });
};

const readOwn = async (page: Page): Promise<OwnAd[]> => {
  const ads = (await (await page.request.get('/api/users/me/ads/file')).json()) as OwnAd[];
  return ads.toSorted((a, b) => (a.title < b.title ? -1 : 1));
};
const toContent = ({ id: _, images, ...ad }: OwnAd) => ({ ...ad, images: images.length });

/** Waits until no photo is on its way. */
const expectPhotos = (page: Page, count: number) =>
  expect
    .poll(async () => (await readOwn(page)).reduce((sum, { images }) => sum + images.length, 0), { timeout: 1_200_000 })
    .toBe(count);

for (const [name, photos] of [
  ['shopify/products.csv', 3],
  ['google/products.rss.xml', 4],
] as const)
  test(`ads of ${name} move through the screens into a second marketplace, equal field by field`, async ({
    browser,
  }) => {
    const sample = SHOP_SAMPLES.find(({ file }) => file === name)!;
    const copies = Math.ceil(ADS / sample.right);
    const changed = Math.max(1, Math.floor(copies / 10));
    const write = (to: number, more = 0) => writeShopFile(sample, { from: 0, to, changed: more, photos: shop.url });
    const fileName = name.replace('/', '-');

    const { page, problems, close } = await signInAs(browser, await joinX('mover'));
    await give(page, 'Choose a file', fileName, write(copies));
    await chooseCategories(page);
    await expect(page.getByRole('button', { name: `New ${copies * sample.right}` })).toBeVisible();
    await run(page, /^Import \d+ ads?$/, 'The import is done');
    await expectPhotos(page, copies * photos);

    await give(page, 'Choose a file', fileName, write(copies - 1, changed));
    await expect(page.getByRole('button', { name: `Changed ${changed * sample.right}` })).toBeVisible();
    await expect(page.getByRole('button', { name: `The same ${(copies - 1 - changed) * sample.right}` })).toBeVisible();
    await page.getByLabel(`Pause ads that are no longer in the file: ${sample.shown}`).check();
    await run(page, /^Import \d+ ads?$/, 'The import is done');

    await page.goto('/dashboard');
    await expectAlive(page);
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await page.getByRole('button', { name: 'Download my ads' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV, for a spreadsheet' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    const before = await readOwn(page);
    expect(before).toHaveLength(copies * sample.right);
    expect(problems).toEqual([]);
    await close();

    const context = await browser.newContext({ baseURL: second.address });
    const mover = await signInOn(await context.newPage(), await joinX('mover', {}, second.sandboxUrl));
    await context.addCookies([{ name: 'language', value: 'ar', url: second.address }]);
    await mover.page.emulateMedia({ reducedMotion: 'reduce' });
    await give(mover.page, ar.browse, 'my-ads.csv', csv);
    await expect(mover.page.getByRole('heading', { name: /my-ads\.csv/ })).toBeVisible();
    await inspect(mover.page, `moving-preview-${fileName}`);
    await run(mover.page, /^استورد/, ar.done);
    await expectPhotos(
      mover.page,
      before.reduce((sum, { images }) => sum + images.length, 0),
    );
    expect((await readOwn(mover.page)).map(toContent)).toEqual(before.map(toContent));
    await inspect(mover.page, `moving-done-${fileName}`);
    expect(mover.problems).toEqual([]);
    await mover.close();
  });

/** Rows that are wrong in many ways, and one that is right. */
const MISTAKES = [
  'id,title,description,price,currency,category,condition,images',
  '1,Chair,Oak,10,USD,Furniture,good,nowhere.jpg',
  '2,,Without a title,10,USD,Furniture,good,',
  '3,Table,Pine,twenty,USD,Furniture,good,',
  '4,Lamp,Brass,10,EUR,Furniture,good,',
  '5,Rocket,Fast,10,USD,Spaceships,good,',
  `6,${'Long '.repeat(40)},Oak,10,USD,Furniture,good,`,
  '7,Sofa,Red,10,USD,Furniture,shiny,',
  '1,Another,Has the id of the first,10,USD,Furniture,good,',
  '8,Short,Row',
  '9,Bed,Soft,"1,234",USD,Furniture,good,',
].join('\r\n');

test('what is wrong with a file is said in Arabic', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: second.address });
  const { page, problems, close } = await signInOn(
    await context.newPage(),
    await joinX('mover', {}, second.sandboxUrl),
  );
  await context.addCookies([{ name: 'language', value: 'ar', url: second.address }]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await give(page, ar.browse, 'mistakes.csv', MISTAKES);
  await expect(page.getByRole('heading', { name: /mistakes\.csv/ })).toBeVisible();
  const rows = page.getByRole('listitem').filter({ hasText: /السطر/ });
  await expect(rows).toHaveCount(9);
  // each says what is wrong, and how to mend it
  for (const text of await rows.allInnerTexts())
    expect(text.split('\n').at(-1)).toMatch(/\.\s+\p{Script=Arabic}.*\.$/u);
  await inspect(page, 'moving-mistakes');
  await page.getByRole('button', { name: /^استورد/ }).click();
  await expect(page.getByRole('heading', { name: ar.done })).toBeVisible();
  await inspect(page, 'moving-mistakes-done');
  expect(problems).toEqual([]);
  await close();
});
