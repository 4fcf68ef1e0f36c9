import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCsvRecord } from '../../contract/csv.ts';
import * as api from '../../contract/imports.ts';
import { exportMyAds, OWN_COLUMNS, type OwnAd } from '../../contract/own-ads.ts';
import { jobHandlers } from '../../server/job-handlers.ts';
import { runDueJobs } from '../../server/jobs/worker.ts';
import { openTestApp, type Person, type TestApp } from './app.ts';
import { insertCategories, SETTLED } from './factories.ts';
import { startPhotoHost } from './photo-host.ts';
import { type Sample, writeShopFile } from './shop-files.ts';

// MOVED_ADS=500 moves that many ads of each format
const ADS = Number(process.env.MOVED_ADS ?? 3);

const toBody = (text: string) => Buffer.from(text);

const SLUGS = ['furniture', 'electronics', 'clothing', 'other'];

/** Previews a file, and chooses categories for the words that are not known. */
const preview = async (client: Person['client'], fileName: string, text: string, decimal?: 'comma') => {
  const send = () => client.ok(api.previewImport, { query: { fileName }, body: toBody(text) });
  const { file, import: made } = await send();
  const unknown = made!.unknownCategories.map(({ word }, at) => [word, SLUGS[at % SLUGS.length]!]);
  if (unknown.length === 0 && !decimal) return made!;
  const categories = { ...file.categories, ...Object.fromEntries(unknown) };
  await client.ok(api.rememberImportChoices, { params: { kind: file.kind }, body: { categories, decimal } });
  return (await send()).import!;
};

const run = async (
  { app }: TestApp,
  client: Person['client'],
  id: string,
  options: { pauseMissing?: boolean } = {},
) => {
  await client.ok(api.startImport, { params: { id }, body: options });
  await runDueJobs(app, jobHandlers);
  const done = await client.ok(api.getImport, { params: { id } });
  expect(done).toMatchObject({ state: 'done', refused: 0, photos: { waiting: 0, failedCount: 0 } });
  return done;
};

const listOwn = async (client: Person['client']): Promise<OwnAd[]> => {
  const ads = await client.ok(exportMyAds);
  return ads.toSorted((a, b) => (a.title + a.description < b.title + b.description ? -1 : 1));
};

/** As the browser writes it for "Download my ads". */
const toCsv = (ads: readonly OwnAd[]): string =>
  [
    [...OWN_COLUMNS],
    ...ads.map((ad) =>
      OWN_COLUMNS.map((column) => {
        const value = ad[column];
        if (Array.isArray(value)) return value.join('\n');
        return typeof value === 'object' ? JSON.stringify(value) : String(value);
      }),
    ),
  ]
    .map((cells) => toCsvRecord(cells as string[]))
    .join('');

/** What belongs to the ad, and to no marketplace. */
const toContent = ({ id: _, images, ...content }: OwnAd) => ({ ...content, images: images.length });

const pixels = async (url: string): Promise<Buffer> => {
  const response = await fetch(url);
  expect(response.status, url).toBe(200);
  return sharp(await response.arrayBuffer())
    .resize(64, 64, { fit: 'fill' })
    .raw()
    .toBuffer();
};

/** How far two photos are apart: 0 are the same, two others more than 10. */
const difference = async (a: string, b: string): Promise<number> => {
  const [one, other] = [await pixels(a), await pixels(b)];
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length;
};

/** Tests that move ads of each sample into a marketplace with this environment, and from there into a second one. */
export const testMoving = async (samples: readonly Sample[], env: Record<string, string> = {}): Promise<void> => {
  const [first, second] = [await openTestApp({ env }), await openTestApp({ env })];
  const shop = await startPhotoHost();
  afterAll(() => shop.close());
  beforeAll(async () => {
    for (const { app } of [first, second]) await insertCategories(app);
  });

  test.each(samples.map((sample) => [sample.file, sample] as const))(
    'ads of %s come in with their photos, change, go out and into a second marketplace, equal field by field',
    async (file, sample) => {
      const copies = Math.max(3, Math.ceil(ADS / sample.right));
      const { right, wrong, shown, photos, decimal } = sample;
      const name = `shop.${file.split('.').at(-1)}`;
      const write = (from: number, to: number, changed = 0) =>
        writeShopFile(sample, { from, to, changed, photos: shop.url });
      const { client } = await first.createPerson(SETTLED);
      const found = await preview(client, name, write(0, copies), decimal);
      const rows = await client.ok(api.listImportRows, { params: { id: found.id }, query: { kind: 'wrong' } });
      expect(found.counts, JSON.stringify(rows)).toEqual({
        new: copies * right,
        wrong: copies * wrong,
        changed: 0,
        same: 0,
      });
      const begun = performance.now();
      await run(first, client, found.id);
      if (process.env.MOVED_ADS)
        console.log(`${file}: ${copies * right} ads in ${Math.round(performance.now() - begun)} ms`);
      const before = await listOwn(client);
      expect(before).toHaveLength(copies * right);
      expect(before.filter(({ images }) => images.length > 0)).toHaveLength(copies * photos);
      expect(before.filter(({ state }) => state === 'active')).toHaveLength(copies * shown);

      // the same file changes nothing, and asks for no photo
      const asked = shop.asked();
      const again = await preview(client, name, write(0, copies));
      expect(again).toMatchObject({ counts: { same: copies * right, new: 0, changed: 0 }, missing: 0 });

      const changed = Math.max(1, Math.ceil(copies / 10));
      const next = await preview(client, name, write(0, copies - 1, changed));
      const { renamed = 0 } = sample;
      expect(next).toMatchObject({
        counts: {
          new: renamed * changed,
          changed: (right - renamed) * changed,
          same: (copies - 1 - changed) * right,
        },
        missing: shown + renamed * changed,
      });
      const done = await run(first, client, next.id, { pauseMissing: true });
      expect(done).toMatchObject({ updated: next.counts.changed, paused: next.missing });
      const after = await listOwn(client);
      expect(after.filter(({ description }) => description.endsWith('Now with more.'))).toHaveLength(changed * right);
      expect(after.filter(({ state }) => state === 'active')).toHaveLength((copies - 1) * shown);
      expect(after).toHaveLength(copies * right + renamed * changed);
      // photos of what changed are here already, apart from ads that are new
      if (renamed === 0) expect(shop.asked()).toBe(asked);

      const { client: mover } = await second.createPerson(SETTLED);
      for (const text of [toCsv(after), JSON.stringify(after)]) {
        const moved = await preview(mover, 'my-ads', text);
        const isFirst = text.startsWith('id,');
        expect(moved.counts).toMatchObject(isFirst ? { new: after.length } : { same: after.length, changed: 0 });
        if (isFirst) await run(second, mover, moved.id);
      }
      const arrived = await listOwn(mover);
      expect(arrived.map(toContent)).toEqual(after.map(toContent));
      const pairs = after.flatMap(({ images }, at) => images.map((image, nth) => [image, arrived[at]!.images[nth]!]));
      expect(pairs.length).toBeGreaterThan(0);
      for (const [image, other] of pairs.slice(0, 10)) expect(await difference(image!, other!)).toBeLessThan(2);
      const edited = after.map((ad, at) => (at === 0 ? { ...ad, title: 'Edited' } : ad));
      const home = await preview(client, 'my-ads', JSON.stringify(edited));
      expect(home.counts).toEqual({ new: 0, wrong: 0, changed: 1, same: after.length - 1 });
    },
  );
};
