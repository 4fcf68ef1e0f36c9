import { beforeAll, expect, test } from 'vitest';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import { exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { AD_COLUMN_NAMES, AD_COLUMNS } from './columns.ts';

const { app, signIn } = await openTestApp();
beforeAll(() => insertCategories(app));

const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test('each column of the table has its decisions', async () => {
  const columns: string[] = await app
    .db('information_schema.columns')
    .where({ table_name: 'ads' })
    .pluck('column_name');
  expect(columns.sort()).toEqual([...AD_COLUMN_NAMES, 'tsv'].sort());
});

test('the download of a seller has the exported columns of an ad and no others', async () => {
  const seller = await signIn((await insertUser(app)).id);
  await seller.ok(createAd, { body: adBody() });
  const { ads } = (await seller.call(exportMyData)).body as { ads: object[] };
  const exported = AD_COLUMN_NAMES.filter((name) => AD_COLUMNS[name].exported).map(toCamelCase);
  expect(Object.keys(ads[0]!).sort()).toEqual([...exported, 'category', 'images', 'views'].sort());
});

test('a deleted ad keeps nothing but what its tombstone needs', async () => {
  const user = await insertUser(app, { can_link_out: true });
  const seller = await signIn(user.id);
  const { id } = await seller.ok(createAd, {
    body: adBody({ externalLink: 'https://shop.example/1', location: 'Lyon' }),
  });
  const sold = { is_sold: true, sold_at: '2026-01-01', sold_listed_until: '2026-01-02', state_reason: 'Reason' };
  await app
    .db('ads')
    .where({ id })
    .update({ ...sold, is_approved: true, taken_down: true });
  const before = await app.db('ads').where({ id }).first();
  await seller.ok(deleteAd, { params: { id } });
  const after = await app.db('ads').where({ id }).first();
  for (const name of AD_COLUMN_NAMES) {
    const { tombstone } = AD_COLUMNS[name];
    if (tombstone !== 'keep') expect([name, after[name]]).toEqual([name, name === 'price' ? '0.00' : tombstone.value]);
    else if (!['listed', 'updated_at', 'deleted_at'].includes(name)) expect(after[name]).toEqual(before[name]);
  }
});
