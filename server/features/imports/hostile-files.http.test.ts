import { beforeAll, expect, test } from 'vitest';
import * as api from '../../../contract/imports.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { runImport } from './run.ts';

const { app, createPerson } = await openTestApp();
beforeAll(() => insertCategories(app));

const HEAD = 'id,title,description,price,category,images';
const GOOD = '1,Chair,Oak,10,furniture,';
/** More than the beginning that tells the format. */
const FAR = `${HEAD}\n${GOOD}\n2,Lamp,"${'long '.repeat(20_000)}",10,furniture,\n`;
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const json = (ad: object) =>
  JSON.stringify([{ id: '1', description: 'Oak', price: '10', category: 'furniture', ...ad }]);

test.each([
  ['a NUL behind the beginning', `${FAR}3,De\0sk,Pine\0,10,furniture,\n`],
  ['a NUL as an id', `${FAR}\0,Desk,Pine,10,furniture,\n`],
  ['a NUL in JSON', json({ title: 'a\0b', location: '\0', id: '\0' })],
  [
    'half a character',
    `[{"id":"\\ud800","title":"\\ud800 Chair","description":"\\udfff","price":"1","category":"\\ud800"}]`,
  ],
  ['UTF-16', utf16(`${HEAD}\n${GOOD}`)],
  ['UTF-16 that is cut', utf16(`${HEAD}\n${GOOD}`).subarray(0, -1)],
  ['cells of 900 kB', `${HEAD}\n1,${'t'.repeat(900_000)},Oak,10,${'c'.repeat(100_000)},\n`],
  ['a record of 2 MB', `${HEAD}\n1,Chair,"${'x'.repeat(2_000_000)}",10,furniture,\n`],
  ['600 columns', `${Array.from({ length: 600 }, (_, i) => `c${i}`).join(',')}\n`],
  ['names of every object', `__proto__,constructor,title,description,price,category\na,b,Chair,Oak,10,toString\n`],
  [
    'names of every object in JSON',
    json({ title: 'Chair', details: { __proto__: 'x', constructor: 'y' }, category: '__proto__' }),
  ],
  ['details that are no details', json({ title: 'Chair', details: [[[]]] })],
  [
    'prices beyond numbers',
    `${HEAD}\n1,a,b,${'9'.repeat(5000)},furniture,\n2,a,b,1e999,furniture,\n3,a,b,-1,furniture,\n4,a,b,NaN,furniture,\n5,a,b,0x10,furniture,`,
  ],
  ['a thousand photos', `${HEAD}\n1,Chair,Oak,10,furniture,${'https://a.example/x.jpg '.repeat(1000)}\n`],
  [
    'photos at no addresses',
    `${HEAD}\n1,Chair,Oak,10,furniture,javascript:alert(1) file:///etc/passwd media:../../etc/passwd http://\n`,
  ],
  ['a table of one column of quotation marks', `title\n${'"'.repeat(10_001)}\n`],
  ['only headings again and again', `${HEAD}\n`.repeat(1000)],
  ['10,001 rows', `${HEAD}\n${Array.from({ length: 10_001 }, (_, i) => `${i},Chair,Oak,10,furniture,`).join('\n')}`],
  [
    'XML of many attributes',
    `<ads xmlns="x"><ad ${Array.from({ length: 50_000 }, (_, i) => `a${i}="1"`).join(' ')}><vendorId>1</vendorId></ad></ads>`,
  ],
  ['XML of one long name', `<ads><ad><vendorId>1</vendorId><${'a'.repeat(3_000_000)}/></ad></ads>`],
  ['XML with an instruction of 3 MB', `<ads><ad><vendorId>1</vendorId><?x ${'a'.repeat(3_000_000)}?></ad></ads>`],
  [
    'XML that refers outside',
    `<?xml version="1.0"?><!DOCTYPE ads SYSTEM "http://127.0.0.1/x.dtd"><ads><ad><vendorId>1</vendorId></ad></ads>`,
  ],
  [
    'XML inclusion',
    `<ads xmlns:xi="http://www.w3.org/2001/XInclude"><ad><vendorId>1</vendorId><title><xi:include href="file:///etc/passwd" parse="text"/></title></ad></ads>`,
  ],
  ['a formula as every cell', `${HEAD}\n=1+1,=cmd|' /C calc'!A0,@SUM(1),10,furniture,\n`],
  [
    'a page without ads',
    '<!doctype html><html><script type="application/ld+json">{"@type":"Product","name":1}</script></html>',
  ],
  ['a page with half a script', '<!doctype html><html><script type="application/ld+json">{"@type":"Prod'],
  [
    'NUL in details',
    `id,title,description,price,priceType,category,allowMessages,state,details\n1,Chair,Oak,10,fixed,clothing,true,active,"{""brand"":""a\\u0000\\ud800""}"\n`,
  ],
])('%s is refused, or read as far as it makes sense', async (_, text) => {
  const { id, client } = await createPerson(SETTLED);
  const answer = await client.call(api.previewImport, { query: { fileName: 'ads' }, body: Buffer.from(text) });
  expect([200, 400]).toContain(answer.status);
  if (answer.status === 400) {
    expect(answer.body).toMatchObject({ code: 'validation_failed', fields: { file: expect.any(String) } });
    expect(await app.db('imports').where({ user_id: id })).toEqual([]);
    return;
  }
  if (answer.body.import === null) return;
  const params = { id: answer.body.import.id };
  await client.ok(api.listImportMistakes, { params });
  await client.ok(api.listImportRows, { params });
  await client.ok(api.startImport, { params, body: {} });
  await runImport(app, params.id);
  const { state, created, refused, counts } = await client.ok(api.getImport, { params });
  expect({ state, created, refused }).toEqual({ state: 'done', created: answer.body.import.counts.new, refused: 0 });
  expect(counts.wrong).toBe(answer.body.import.counts.wrong);
});
