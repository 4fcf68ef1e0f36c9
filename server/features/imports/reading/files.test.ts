import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openAdFile } from '../read-ads.ts';
import { readTable } from './table.ts';

const toBytes = async function* (bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

/** Line, title and cells of each ad, in pieces of any size. */
const read = async (bytes: Uint8Array, size: number) => {
  const file = await openAdFile(toBytes(bytes, size));
  const ads: unknown[] = [];
  for await (const { line, title, price, problems } of file.ads({ columns: file.table?.guess }))
    ads.push([line, title, price, ...problems.map(({ what }) => what.key)]);
  return ads;
};

const readText = (text: string) => read(Buffer.from(text), 7);

/** What programs of this encoding write: by its decoder, turned round. */
const encode = (text: string, encoding: string): Buffer => {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number[]>();
  const single = Array.from({ length: 256 }, (_, byte) => [byte]);
  const double = single.slice(0x81).flatMap(([lead]) => single.slice(0x40).map(([trail]) => [lead!, trail!]));
  for (const sequence of [...double, ...single]) bytes.set(decoder.decode(Uint8Array.from(sequence)), sequence);
  return Buffer.from([...text].flatMap((character) => bytes.get(character) ?? []));
};

const ROWS = [
  [2, 'Chair', '10'],
  [3, 'Lamp', '11'],
  [4, 'Desk', '12'],
];

test.each([
  ['\r\n', '\n', '\n', '\r\n'],
  ['\n', '\r\n', '\n', '\r\n'],
  ['\r', '\r', '\n', '\r\n'],
  ['\n', '\r', '\r\n', ''],
])('rows that end with %j, %j, %j and %j are rows', async (...ends) => {
  const lines = ['title,price', 'Chair,10', '"Lamp",11', 'Desk,12'];
  const text = lines.map((line, at) => line + ends[at]).join('');
  for (const size of [1, 2, 7, text.length]) expect(await read(Buffer.from(text), size)).toEqual(ROWS);
});

// behind a comma of a text there is a blank: else each line might be a row
test('a well-formed table has the rows that another parser finds', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"', ', ', ';', '\n', '\r', '1'), maxLength: 6 });
  const row = fc.tuple(cell, cell, cell, cell);
  const quote = (text: string, isAlways: boolean) =>
    isAlways || /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 6 }),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 20 }),
      async (rows, isAlways, end, size) => {
        const text = [['w', 'x', 'y', 'z'], ...rows]
          .map((cells) => cells.map((one) => quote(one, isAlways)).join(',') + end)
          .join('');
        const pieces = (async function* () {
          for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
        })();
        const read: unknown[] = [];
        for await (const { cells, problem } of readTable(pieces, ',')) read.push(problem ? problem.what.key : cells);
        const [, ...expected] = parse(text, { record_delimiter: end }) as string[][];
        expect(read).toEqual(expected.filter((cells) => cells.some((one) => one.trim() !== '')));
      },
    ),
    { numRuns: 1000 },
  );
});

test('a line for Excel says what separates cells, and is none of the table', async () => {
  expect(await readText('sep=;\r\ntitle;price\r\nChair, "red", oak;10\r\n')).toEqual([[3, 'Chair, "red", oak', '10']]);
  expect(await readText('sep=\t\ntitle\tprice\nChair\t10')).toEqual([[3, 'Chair', '10']]);
});

test('a table with 10,000 columns is refused for that', async () => {
  const columns = ['title', ...Array.from({ length: 10_000 }, (_, at) => `c${at}`)].join(',');
  await expect(readText(`${columns}\n${columns}`)).rejects.toThrow('The table has more than 500 columns.');
});

test.each([
  ['windows-1251', 'Стол'],
  ['koi8-r', 'Стол'],
  ['iso-8859-2', 'Żółty stół'],
  ['shift_jis', '自転車のサドル'],
  ['windows-1256', 'طاولة'],
])('XML and pages that say that they are in %s are read so', async (encoding, title) => {
  const xml = `<?xml version="1.0" encoding="${encoding}"?><Ads><Ad><Title>${title}</Title><Price>10</Price></Ad></Ads>`;
  expect(await read(encode(xml, encoding), 7)).toEqual([[1, title, '10']]);
  const thing = JSON.stringify({ '@type': 'Product', name: title, offers: { price: '10' } });
  const page = `<html><meta charset=${encoding}>\n<script type="application/ld+json">${thing}</script></html>`;
  expect(await read(encode(page, encoding), 7)).toEqual([[2, title, '10']]);
});

test('what a document says of its encoding counts less than its bytes', async () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><Ads><Ad><Title>Größe</Title><Price>10</Price></Ad></Ads>`;
  for (const encoding of ['windows-1251', 'utf-16', 'utf-7', 'nonsense'])
    expect(await readText(xml(encoding))).toEqual([[1, 'Größe', '10']]);
  // nothing in the beginning tells
  const late = xml('windows-1251').replace('<Ad>', `<Ad><!--${'x'.repeat(70_000)}-->`);
  expect(await read(encode(late.replace('Größe', 'Стол'), 'windows-1251'), 5000)).toEqual([[1, 'Стол', '10']]);
});

test.each([
  ['windows-1251', 'Стол деревянный', 'Лампа настольная'],
  ['shift_jis', '自転車のサドル', 'テーブル、ランプ'],
  ['euc-jp', '自転車のサドル', 'テーブル、ランプ'],
  ['windows-1256', 'طاولة خشبية', 'المصباح الكهربائي'],
  ['euc-kr', '자전거 안장', '테이블 램프입니다'],
])('a table in %s is refused, not misread', async (encoding, ...titles) => {
  const table = `title,price\n${titles.map((title) => `${title},10\n`).join('')}`;
  await expect(read(encode(table, encoding), 7)).rejects.toThrow('The encoding of the file is not known');
});

test('Windows-1252 is read, with quotation marks, bullets and alphabets', async () => {
  const titles = ['„Größe“ – ‚groß‘ für 5 €', '•••••••• Œuvre', 'Tasten ÄÖÜäöüß', '°°°°°°°', 'Niño ¿¡¿¡¿¡¿'];
  const table = `title;price\n${titles.map((title) => `${title};10\n`).join('')}`;
  expect(await read(encode(table, 'windows-1252'), 7)).toEqual(titles.map((title, at) => [at + 2, title, '10']));
});

const xml = (root: string, record: string, fields: string) =>
  `<${root}><${record}>${fields}<title>A</title><content>B</content></${record}></${root}>`;

test.each([
  ['woocommerce', 'ID;Type;SKU;Name;Published;Regular price\n1;simple;a;A;1;1.234,50'],
  ['woocommerce', 'ID;Type;SKU;Name;Published;Regular price;Parent\n1;variable;a;A;1;;\n2;variation;b;A;1;1.234,50;a'],
  ['etsy', 'TITRE;PRIX;CODE_DEVISE;IMAGE1\nA;1 234,50;EUR;'],
  ['ebay', '*Action(SiteID=Germany|Currency=EUR);*Title;*StartPrice\nAdd;A;1234,50'],
  ['shopify', 'Handle;Title;Variant Price\na;A;1234,50'],
  ['google', 'id;title;price;image_link;availability\n1;A;1.234,50 EUR;;in_stock'],
  ['google', '<rss xmlns:g="g"><item><g:id>1</g:id><title>A</title><g:price>1234,50 EUR</g:price></item></rss>'],
  ['yclas', 'user_name;user_email;title;price\na;b;A;1234,50'],
  ['trovit', xml('trovit', 'ad', '<price>1 234,50</price>')],
  ['osclass-xml', xml('listings', 'listing', '<price>1.234,50</price>')],
  ['avito', '<Ads><Ad><Title>A</Title><Price>1 234,50</Price></Ad></Ads>'],
  ['json-ld', '[{"@type":"Product","name":"A","offers":{"price":"1.234,50"}}]'],
  ['json-ld', '[{"@type":"Product","name":"A","offers":{"price":1234.50}}]'],
  ['tradepost', 'id;title;price;priceType;allowMessages;state\n1;A;1234,50;fixed;true;active'],
])('a decimal comma that is chosen counts in %s', async (format, text) => {
  const file = await openAdFile(toBytes(Buffer.from(text), 7));
  expect(file.format.name).toBe(format);
  const prices: string[] = [];
  for await (const ad of file.ads({ decimal: 'comma' })) prices.push(Number(ad.price).toFixed(2));
  expect(prices).toEqual(['1234.50']);
});
