import { beforeAll, expect, test } from 'vitest';
import { formatPrice } from '../../../contract/money.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { fillEveryTable } from '../../../test/harness/every-table.ts';
import { toCurrency } from '../../config/currencies.ts';
import { withDatabase } from '../../db/transaction.ts';
import { operator } from '../../policy.ts';
import { hashContent } from '../ads/columns.ts';
import { findAd } from '../ads/repository.ts';
import { isCleared } from '../reports/decision-repository.ts';
import { isEdited, snapshotAd } from '../reports/snapshot.ts';
import { readMaintenance } from '../settings/repository.ts';
import { AMOUNTS, readCurrency } from './repository.ts';
import { convertCurrency, findMismatch, settleCurrency } from './service.ts';

const { app } = await openTestApp();
const actor = operator('ann');
/** As of marketctl: without a time limit. */
const ctx = withDatabase(app, app.jobsDb);
const readAll = async (table: string, column: string, order = 'id'): Promise<string[]> =>
  (await app.db(table).orderBy(order).pluck(column)) as string[];
const inCurrency = (code: string) => ({ ...app, config: { ...app.config, currency: toCurrency(code) } });
/** In tenths of cents: exact. */
const times92 = (amount: string | null) =>
  amount === null ? null : (Math.round(Math.round(Number(amount) * 100) * 0.92) / 100).toFixed(2);

beforeAll(async () => {
  expect(await settleCurrency(inCurrency('JPY'))).toEqual({ code: 'JPY' });
  // nothing has a price yet
  expect(await settleCurrency(app)).toEqual({ code: 'USD' });
  await fillEveryTable(app);
});

/** Columns that are numbers or objects, and hold no amount of the marketplace. */
const NO_AMOUNTS = [
  'audit_log.details',
  'decisions.restore',
  'idempotency_keys.reply',
  'listed_ads.price',
  'moderation_cases.weight',
  'reports.weight',
  'saved_searches.max_price',
  'saved_searches.min_price',
  'x_posts.cost_usd',
];

test('a column that may hold an amount is converted, or is known to hold none', async () => {
  const { rows } = await app.db.raw<{ rows: { name: string }[] }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and (c.data_type = 'numeric' or c.column_name ~ 'price|amount|cost|revenue') and c.column_name <> 'price_type'`,
  );
  const converted = Object.entries(AMOUNTS).flatMap(([table, { columns }]) => columns.map((c) => `${table}.${c}`));
  const objects = ['saved_searches.filters', 'saved_searches.resolved', 'moderation_cases.reported'];
  const known = [...converted, ...NO_AMOUNTS].filter((name) => !objects.includes(name));
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

test('a server with another currency is told what to do, and changes nothing', async () => {
  const stored = await settleCurrency(inCurrency('EUR'));
  expect(stored).toEqual({ code: 'USD' });
  expect(findMismatch(stored, 'EUR')).toBe(
    'The amounts of this marketplace are in USD, and CURRENCY is EUR. Set CURRENCY=USD, or convert them, for example: marketctl currency convert --to EUR --rate 0.92',
  );
  expect(findMismatch(stored, 'USD')).toBeUndefined();
});

test('all amounts are converted once, also after interruptions, and the site stays closed', async () => {
  const [seller] = await app.db('ads').orderBy('id').limit(1).select('user_id', 'category_id');
  await app.jobsDb.raw(
    `insert into ads (user_id, category_id, title, description, price)
     select ?, ?, 'Brick ' || n, 'One of many', n from generate_series(1, 600) n`,
    [seller.user_id, seller.category_id],
  );
  await app.db('saved_searches').update({ filters: JSON.stringify({ minPrice: '10', maxPrice: '99.99' }) });
  await app.db.raw(`update saved_searches set resolved = resolved || '{"minPrice": "10", "maxPrice": "99.99"}'`);
  const columns = [
    ['ads', 'price', 'id'],
    ['ad_prices', 'price', 'id'],
    ['price_drops', 'old_price', 'ad_id'],
    ['offers', 'amount', 'id'],
    ['listed_ads', 'price', 'id'],
  ] as const;
  const read = () => Promise.all(columns.map(([table, column, order]) => readAll(table, column, order)));
  const before = await read();
  expect(before.every((amounts) => amounts.length > 0)).toBe(true);

  // a kill between two batches, again and again
  for (let attempt = 0; ; attempt++) {
    const onProgress = () => {
      throw new Error('killed');
    };
    const error = await convertCurrency(ctx, actor, { to: 'EUR', rate: '0.92', onProgress }).catch((e: Error) => e);
    if (!(error instanceof Error)) break;
    expect(error.message).toBe('killed');
    expect(findMismatch((await readCurrency(app.db))!, 'EUR')).toContain('from USD to EUR is not complete');
    await expect(convertCurrency(ctx, actor, { to: 'EUR', rate: '1' })).rejects.toThrow('--to EUR --rate 0.92');
    expect(attempt).toBeLessThan(20);
  }

  expect(await read()).toEqual(before.map((amounts) => amounts.map(times92)));
  expect(await readCurrency(app.db)).toEqual({ code: 'EUR' });
  expect(await readMaintenance(app.db)).toMatchObject({ phrase: { key: 'errors.pricesChange' } });
  const [search] = await app.db('saved_searches').select('filters', 'min_price', 'max_price');
  expect(search).toEqual({ filters: { minPrice: '9.2', maxPrice: '91.99' }, min_price: '9.2', max_price: '91.99' });
  const offers = await app.db('offers').join('messages', 'messages.id', 'message_id').select('amount', 'content');
  const money = { currency: toCurrency('EUR'), locale: 'en-US' };
  expect(offers.every(({ amount, content }) => content === `Offer: ${formatPrice(amount, money)}`)).toBe(true);
  const actions = await app.db('audit_log').whereLike('action', 'currency.%').orderBy('id').pluck('action');
  expect(actions).toEqual(['currency.convert', 'currency.converted']);
  await expect(convertCurrency(ctx, actor, { to: 'EUR', rate: '0.92' })).rejects.toThrow('in EUR already');
});

test('amounts become whole yen, and stay above 0 and in bounds', async () => {
  await app.db('ads').where({ title: 'Brick 1' }).update({ price: '0.01' });
  await app.db('ads').where({ title: 'Brick 2' }).update({ price: '99999999.99', price_type: 'fixed' });
  await convertCurrency(ctx, actor, { to: 'JPY', rate: '0.5' });
  const prices = await app.db('ads').whereLike('title', 'Brick _').orderBy('id').pluck('price');
  expect(prices.slice(0, 3)).toEqual(['1', '50000000', '1']);
});

test('what staff judged stays judged, and names of searches that say their prices follow', async () => {
  const readAd = async (title: string) => {
    const { id } = await app.db('ads').where({ title }).first('id');
    return (await findAd(app.db, id))!;
  };
  const nameNow = async (title: string, decimals: number) => hashContent(await readAd(title), [], decimals);
  const [cleared, edited] = [await readAd('Brick 7'), await readAd('Brick 8')];
  for (const { id, title } of [cleared, edited])
    await app.db('ad_clearances').insert({ ad_id: id, content: await nameNow(title, 0) });
  await app.db('ads').where({ id: edited.id }).update({ price: '77' });
  const reported = { ...snapshotAd(cleared), content: (await nameNow('Brick 7', 0)).toString('hex') };
  const [{ id: caseId }] = await app
    .db('moderation_cases')
    .insert({
      target_type: 'ad',
      target_id: cleared.id,
      person_id: cleared.user_id,
      reported: JSON.stringify(reported),
    } as never)
    .returning('id');
  const [search] = await app.db('saved_searches').orderBy('id').limit(1);
  const names = ['sofa, up to ¥300', 'Sofa, bis 300\u00A0¥', 'from ¥100, up to ¥300', 'For my 300 ¥ room'];
  await app.db('saved_searches').where({ user_id: search!.user_id }).delete();
  await app.db('saved_searches').insert(
    names.map((name, at) => {
      const { id: _, min_price, max_price, ...row } = search as Record<string, unknown>;
      const filters = { search: 'sofa', ...(name.startsWith('from') && { minPrice: '100' }), maxPrice: '300' };
      return {
        ...row,
        slot: at + 1,
        name,
        filters: JSON.stringify(filters),
        resolved: JSON.stringify(row.resolved),
      } as never;
    }),
  );

  await convertCurrency(ctx, actor, { to: 'EUR', rate: '0.01' });

  expect((await readAd('Brick 7')).price).toBe('0.03');
  expect(await isCleared(app.db as never, cleared.id, await nameNow('Brick 7', 2))).toBe(true);
  expect(await isCleared(app.db as never, edited.id, await nameNow('Brick 8', 2))).toBe(false);
  const { reported: kept } = await app.db('moderation_cases').where({ id: caseId }).first('reported');
  const now = { ...snapshotAd(await readAd('Brick 7')), content: (await nameNow('Brick 7', 2)).toString('hex') };
  expect(isEdited(kept, now)).toBe(false);
  expect(isEdited(kept, { ...now, price: '0.05' })).toBe(true);
  expect(await app.db('saved_searches').where({ user_id: search!.user_id }).orderBy('id').pluck('name')).toEqual([
    'sofa, up to €3',
    'Sofa, bis 3\u00A0€',
    'from €1, up to €3',
    'For my 300 ¥ room',
  ]);
});
