import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ATTRIBUTES } from '../../../contract/attributes.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { toEnglish } from '../../error-phrases.ts';
import { type CheckedAd, type Choices, checkAd, type Market } from './check-ad.ts';
import { openAdFile } from './read-ads.ts';
import { type ReadingOptions, UnreadableFile } from './reading/imported-ad.ts';

const CATEGORIES = [...Object.keys(ATTRIBUTES), 'services', 'jobs'];
const NAMES: [string, string][] = [
  ['home & garden', 'home-garden'],
  ['baby & kids', 'baby-kids'],
  ['musical instruments', 'musical-instruments'],
];
const MARKET: Market = {
  categories: new Map([...CATEGORIES.map((slug): [string, string] => [slug, slug]), ...NAMES]),
  maxImages: 5,
  publicUrl: 'https://market.example',
};

/** Any other word is furniture: what is counted is everything but the categories. */
const ANY_CATEGORY = new Proxy({} as Record<string, string>, {
  getOwnPropertyDescriptor: (_, word) => ({
    configurable: true,
    enumerable: true,
    value: MARKET.categories.get(String(word).toLowerCase()) ?? 'furniture',
  }),
  get: (_, word) => MARKET.categories.get(String(word).toLowerCase()) ?? 'furniture',
});

const toBytes = async function* (bytes: Uint8Array, size = bytes.length) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

interface Reading extends ReadingOptions, Partial<Choices> {
  format?: string;
  chunk?: number;
}

const readBytes = async (bytes: Uint8Array, { format, chunk, ...options }: Reading = {}) => {
  const file = await openAdFile(toBytes(bytes, chunk), format);
  const rows: CheckedAd[] = [];
  for await (const ad of file.ads(options))
    rows.push(checkAd(ad, MARKET, { categories: ANY_CATEGORY, truncate: false, ...options }, rows.length));
  return { format: file.format.name, table: file.table, rows, right: rows.filter(({ content }) => content) };
};

const read = async (name: string, reading?: Reading) =>
  readBytes(await readFile(new URL(`fixtures/${name}`, import.meta.url)), reading);

const readText = (text: string, reading?: Reading) => readBytes(Buffer.from(text), reading);

const problemsOf = (rows: readonly CheckedAd[]) =>
  rows.flatMap(({ line, problems }) => problems.map(({ column, what }) => `${line} ${column}: ${toEnglish(what)}`));

test.each([
  ['icas/seller-feed.tsv', 'icas', 7, 4],
  ['icas/seller-feed.xml', 'icas', 3, 2],
  ['yclas/ads.csv', 'yclas', 4, 3],
  ['osclass-xml/listings.xml', 'osclass-xml', 3, 2],
  ['shopify/products.csv', 'shopify', 3, 2],
  ['google/products.tsv', 'google', 4, 3],
  ['google/products.rss.xml', 'google', 2, 2],
  ['ebay/file-exchange.csv', 'ebay', 3, 2],
  ['ebay/draft-template.csv', 'ebay', 3, 2],
  ['ebay/category-template.csv', 'ebay', 3, 2],
  ['ebay/active-listings.csv', 'ebay', 5, 3],
  ['etsy/EtsyListingsDownload.csv', 'etsy', 3, 2],
  ['etsy/EtsyListingsDownload-fr.csv', 'etsy', 2, 1],
  ['woocommerce/products.csv', 'woocommerce', 4, 3],
  ['trovit/ads.xml', 'trovit', 1, 1],
  ['avito/autoload.xml', 'avito', 2, 0],
  ['schema-org/product.html', 'json-ld', 1, 1],
  ['schema-org/products.json', 'json-ld', 3, 3],
  ['csv/plain.csv', 'csv', 4, 4],
  ['csv/german-headings.csv', 'csv', 3, 0],
  ['csv/errors.csv', 'csv', 8, 3],
])('reads %s as %s: %i ads, %i of them right, in chunks of any size', async (name, format, count, right) => {
  const whole = await read(name);
  expect(whole, problemsOf(whole.rows).join('\n')).toMatchObject({ format });
  expect([whole.rows.length, whole.right.length], problemsOf(whole.rows).join('\n')).toEqual([count, right]);
  for (const chunk of [1, 7, 64]) expect((await read(name, { chunk })).rows).toEqual(whole.rows);
});

test('a feed of cents', async () => {
  const { rows } = await read('icas/seller-feed.tsv');
  expect(rows.map(({ content }) => content?.price)).toEqual([
    '249.00',
    '89.50',
    '0.00',
    '310.00',
    undefined,
    undefined,
    undefined,
  ]);
  expect(rows[0]!.content).toMatchObject({
    description: 'Solid oak, seats six.\n- 180 x 90 cm\n- one small scratch',
    imageUrls: [
      'https://pictures.example/a1-1.jpg',
      'https://pictures.example/a1-2.jpg',
      'https://pictures.example/a1-3.jpg',
    ],
    condition: 'good',
    location: '1097DN',
  });
  expect(rows[1]).toMatchObject({ title: 'Monitor 27" curved', content: { condition: 'like_new' } });
  expect(rows[3]!.content).toMatchObject({ isHidden: true, priceType: 'negotiable' });
  expect(problemsOf(rows).slice(0, 3)).toEqual([
    '6 price type: No price can be told from SEE_DESCRIPTION',
    '7 price: "1.500" is not a whole number of cents',
    '8 : The row has 42 cells, and there are 40 headings',
  ]);
});

test('a feed in XML', async () => {
  const { rows } = await read('icas/seller-feed.xml');
  expect(rows[0]!.content).toMatchObject({ price: '1299.00', description: 'Two seats.\nPets & smoke free.' });
  expect(rows[0]!.content!.imageUrls[1]).toBe('https://pictures.example/b1-side.jpg?w=800&h=600');
  expect(rows[1]).toMatchObject({ title: "Women's bike & pump", content: { priceType: 'negotiable' } });
  expect(rows[2]!.line).toBe(25);
});

test('several languages are one ad, and another currency is refused by row', async () => {
  const { rows } = await read('osclass-xml/listings.xml');
  expect(rows[0]!.content).toMatchObject({
    title: 'Cordless drill',
    description: 'With two batteries.\nHardly used.',
    location: 'Austin, Texas',
  });
  expect(problemsOf(rows)).toContain('31 currency: The price is in EUR, and this marketplace is in USD');
});

test('a name is made of what does not change', async () => {
  const { rows } = await read('yclas/ads.csv');
  expect(new Set(rows.map(({ externalId }) => externalId)).size).toBe(4);
  expect(rows[0]!.content!.description).toBe('Four people, used twice.\nSee here (https://shop.example/t).');
  expect(problemsOf(rows)).toEqual(['5 title: Title is required']);
});

test('variants and pictures of a product are one ad', async () => {
  const { rows } = await read('shopify/products.csv');
  expect(rows[0]!.content).toMatchObject({ price: '12.50', description: 'Holds 300 ml.\n\nDishwasher safe' });
  expect(rows[0]!.content!.imageUrls).toHaveLength(3);
  expect(rows[1]!.content).toMatchObject({ isHidden: true });
  expect(rows[2]).toMatchObject({ line: 6, content: undefined });
});

test('variations are their product, at the lowest price, wherever they stand', async () => {
  const { rows } = await read('woocommerce/products.csv');
  expect(rows.map(({ title, content }) => [title, content?.price, content?.isHidden])).toEqual([
    ['Wooden train', '25.00', false],
    ['Both', undefined, undefined],
    ['Secret', '5.00', true],
    ['Kite', '11.00', false],
  ]);
  expect(rows[0]!.content?.imageUrls).toEqual(['https://pictures.example/w1.jpg', 'https://pictures.example/w1b.jpg']);
  const alone =
    'ID,Type,SKU,Name,Published,Regular price,Parent\n7,variation,A-S,A small,1,3,A\n8,variation,A-L,A large,1,4,A';
  expect(problemsOf((await readText(alone)).rows)).toContain(
    '2 Parent: The product of this variation is not in the file',
  );
  const byNumber = `ID,Type,SKU,Name,Description,Published,Regular price,Categories,Parent
9,variation,,A small,,1,3,,id:5
5,variable,,A,"One\\nTwo",1,,"Toys > Kites, Sports\\, all",`;
  expect((await readText(byNumber)).rows).toMatchObject([
    { externalId: '5', content: { price: '3.00', description: 'One\nTwo' } },
  ]);
});

test('roubles are no dollars', async () => {
  const { rows } = await read('avito/autoload.xml');
  expect(problemsOf(rows)).toEqual([
    '3 currency: The price is in RUB, and this marketplace is in USD',
    '21 Price: The price is missing',
    '21 currency: The price is in RUB, and this marketplace is in USD',
  ]);
});

test('prices with a currency, before and behind, and a sale', async () => {
  const { rows } = await read('google/products.tsv');
  expect(rows.map(({ content }) => content?.price)).toEqual(['199.00', '19.99', '80.00', undefined]);
  expect(rows[2]!.content).toMatchObject({ isHidden: true });
  const { rows: feed } = await read('google/products.rss.xml');
  expect(feed[0]!.content).toMatchObject({ description: 'Six cups.\nBlue', title: 'Tea & coffee set' });
  expect(feed[1]!.content).toMatchObject({ price: '0.00', priceType: 'free' });
});

test('an auction has no price', async () => {
  const { rows } = await read('ebay/file-exchange.csv');
  expect(problemsOf(rows)).toEqual(['4 Format: An auction has no price yet']);
  expect(rows[0]!.content).toMatchObject({ condition: 'good', description: 'Lamp\n\n1960s, works' });
  expect(rows[1]!.content).toMatchObject({ condition: 'for_parts', externalLink: null });
});

test('drafts for Seller Hub are paused, and what it says about its template is no ad', async () => {
  const { rows } = await read('ebay/draft-template.csv');
  expect(problemsOf(rows)).toEqual(['8 Price: The price is missing']);
  expect(rows.map(({ line, externalId }) => [line, externalId])).toEqual([
    [6, 'EB-11'],
    [7, 'EB-12'],
    [8, 'EB-13'],
  ]);
  expect(rows[0]!.content).toMatchObject({
    price: '48.00',
    condition: 'good',
    description: 'Brass, heavy.\n\nNew cable',
  });
  expect(rows[0]!.content!.imageUrls).toHaveLength(2);
  expect(rows[1]!.content).toMatchObject({ isHidden: true, condition: 'new' });
});

test('variations in files of Seller Hub are their listing, at the lowest price', async () => {
  const { rows: template } = await read('ebay/category-template.csv');
  expect(problemsOf(template)).toEqual(['8 Format: An auction has no price yet']);
  expect(template[0]).toMatchObject({
    line: 3,
    externalId: 'EB-21',
    content: { price: '11.00', location: 'Austin, TX' },
  });
  expect(template[1]!.content).toMatchObject({ price: '30.00', condition: 'like_new' });
  const { rows: report } = await read('ebay/active-listings.csv');
  expect(report.map(({ externalId, content }) => [externalId, content?.price, content?.condition])).toEqual([
    ['EB-11', '45.00', 'good'],
    ['110000000002', '11.00', 'new'],
    ['EB-13', '80.00', 'for_parts'],
    ['EB-14', undefined, undefined],
    ['EB-15', undefined, undefined],
  ]);
  expect(report[2]!.content).toMatchObject({ isHidden: true, description: 'Neon sign' });
  expect(problemsOf(report)).toEqual([
    '7 Format: An auction has no price yet',
    '8 currency: The price is in GBP, and this marketplace is in USD',
  ]);
});

test('photos that do not fit are named, and are no mistake', async () => {
  const { rows } = await read('etsy/EtsyListingsDownload.csv');
  expect(rows[0]!.externalId).toBe('POT-1');
  expect(rows[0]!.notes.map(toEnglish)).toEqual(['5 photos left out: an ad has at most 5']);
  expect(rows[1]!.content).toMatchObject({ isHidden: true });
});

test('demand is a wanted ad, and an organization is none', async () => {
  const { rows } = await read('schema-org/products.json');
  expect(rows.map(({ content }) => [content?.title, content?.priceType])).toEqual([
    ['Garden chair', 'fixed'],
    ['Parasol', 'fixed'],
    [expect.any(String), 'wanted'],
  ]);
  expect(rows[1]!.content!.imageUrls).toEqual(['https://pictures.example/p.jpg']);
});

test('columns are guessed, and a decimal comma is chosen, never guessed', async () => {
  const { table, rows } = await read('csv/german-headings.csv');
  expect(table!.guess).toEqual({
    Artikelnummer: 'id',
    Titel: 'title',
    Beschreibung: 'description',
    Preis: 'price',
    Rubrik: 'category',
    Ort: 'location',
    'Foto 1': 'images',
    'Foto 2': 'images',
  });
  expect(problemsOf(rows)).toEqual([
    '2 Preis: "45,00" can be read in two ways',
    '3 Preis: "1.120,00" can be read in two ways',
    '4 Preis: "fünf" is no number',
  ]);
  const chosen = await read('csv/german-headings.csv', { decimal: 'comma' });
  expect(chosen.rows.map(({ content }) => content?.price)).toEqual(['45.00', '1120.00', undefined]);
  const { rows: mapped } = await read('csv/german-headings.csv', {
    columns: { Titel: 'title', Rubrik: 'description' },
  });
  expect(problemsOf(mapped)).toContain('2 price: The price is missing');
});

test('keys of JSON of other programs mean what headings of a table mean', async () => {
  const { rows } = await readText(
    JSON.stringify([
      {
        name: 'Oak &amp; elm table',
        cost: 120.5,
        body: '<p>Solid.</p><p>Seats six.</p>',
        photos: ['https://pictures.example/1.jpg', 'https://pictures.example/2.jpg'],
        category: ['Home', 'Furniture'],
        published: true,
        stock: { warehouse: 3 },
      },
      {
        Titel: 'Stuhl',
        Preis: '45,00',
        Beschreibung: 'Eiche',
        Bilder: [{ url: 'https://pictures.example/3.jpg' }],
        status: 'draft',
      },
    ]),
    { decimal: 'comma' },
  );
  expect(problemsOf(rows)).toEqual([]);
  expect(rows.map(({ content }) => content)).toMatchObject([
    {
      title: 'Oak & elm table',
      price: '120.50',
      description: 'Solid.\n\nSeats six.',
      category: 'furniture',
      imageUrls: ['https://pictures.example/1.jpg', 'https://pictures.example/2.jpg'],
      isHidden: false,
    },
    { title: 'Stuhl', price: '45.00', imageUrls: ['https://pictures.example/3.jpg'], isHidden: true },
  ]);
});

test('the choice of a decimal sign is for texts of JSON, and not for its numbers', async () => {
  const file = JSON.stringify(
    ['45,00', '1.120,50', 1.5, '9'].map((price, id) => ({ id, title: `Chair ${id}`, description: 'Oak', price })),
  );
  expect(problemsOf((await readText(file)).rows)).toHaveLength(2);
  const { rows } = await readText(file, { decimal: 'comma' });
  expect(rows.map(({ content }) => content?.price)).toEqual(['45.00', '1120.50', '1.50', '9.00']);
});

test.each([
  ['etsy', 'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,IMAGE1,SKU\nChair,Oak,0.00,USD,1,,1\n'],
  ['icas', 'vendor id\ttitle\tdescription\tprice\tprice type\n1\tChair\tOak\t0\tFIXED_PRICE\n'],
  ['tradepost', JSON.stringify([{ id: '1', title: 'Chair', description: 'Oak', price: 0 }])],
  ['csv', 'id,title,description,price\n1,Chair,Oak,0\n'],
])('a price of 0 is a gift where a file of %s says no other kind', async (format, text) => {
  const { format: read, rows } = await readText(text);
  expect([read, rows[0]!.content]).toMatchObject([format, { price: '0.00', priceType: 'free' }]);
});

test('titles of tables are without entities, as their descriptions', async () => {
  const { rows } = await readText(
    'vendor id\ttitle\tdescription\tprice\tprice type\n1\tTable &amp; chair\tOak &amp; elm\t100\tFIXED_PRICE\n',
  );
  expect(rows[0]!.content).toMatchObject({ title: 'Table & chair', description: 'Oak & elm' });
});

test('each mistake is named with its line and column', async () => {
  const { rows } = await read('csv/errors.csv', { categories: {} });
  expect(problemsOf(rows)).toEqual([
    '3 title: Title is required',
    '4 price: The price is missing',
    '5 category: "Spaceships" is no category here',
    '6 condition: "shiny" is no condition',
    '7 title: Title must be less than 100 characters',
    '8 description: Description must be less than 1000 characters',
  ]);
  expect(rows[3]).toMatchObject({ unknownCategory: 'Spaceships' });
  const { right } = await read('csv/errors.csv', { truncate: true });
  expect(right.map(({ line }) => line)).toEqual([2, 5, 7, 8, 9]);
});

const TABLE = 'id;title;description;price;category\n1;Größe;für € 5;5;Furniture\n';

test.each([
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${TABLE}`)],
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${TABLE}`, 'utf16le')],
  ['UTF-16 the other way round', Buffer.from(`\uFEFF${TABLE}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from(TABLE, 'utf16le')],
  ['Windows-1252', Buffer.from(TABLE.replace('€', '\u0080'), 'latin1')],
  ['lines that end with CR', Buffer.from(TABLE.replaceAll('\n', '\r'))],
])('reads %s', async (_, bytes) => {
  for (const chunk of [3, bytes.length]) {
    const { rows } = await readBytes(bytes, { chunk });
    expect(rows, problemsOf(rows).join()).toMatchObject([
      { externalId: '1', content: { title: 'Größe', description: 'für € 5' } },
    ]);
  }
});

const ENTITY = `<!DOCTYPE ads [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>`;
const AD = '<ad><vendorId>1</vendorId><title>A</title></ad>';

test.each([
  ['nothing', '', 'The file is empty.'],
  ['blanks', ' \n\n', 'The file is empty.'],
  ['an archive', 'PK\u0003\u0004\u0014\0', 'This is no text file. Save a table as CSV, and unpack an archive first.'],
  ['nothing but zeros', '\0'.repeat(1000), 'This is no text file.'],
  ['zeros', 'abcdefg\0hijk', 'This is no text file.'],
  [
    'a definition of entities',
    `${ENTITY}<ads>${AD.replace('A', '&b;')}</ads>`,
    'Line 1: A DOCTYPE is not allowed. Save the file without it.',
  ],
  ['XML that ends in the middle', `<ads>${AD}<ad>`, /^Line 1: The XML is not well formed/],
  ['deep XML', `<ads>${AD}${'<x>'.repeat(30)}`, 'Line 1: The XML is nested too deeply.'],
  ['a large ad in XML', `<ads>${AD}<ad>${'<a>bbbbbbbbbbb</a>'.repeat(3000)}`, 'Line 1: An ad is longer than 1 MB.'],
  ['XML of no format', '<feed><entry/></feed>', 'No format is known that has such elements.'],
  ['JSON that ends in the middle', '[{"title":"a"},{"title"', 'Line 1: The file ends in the middle.'],
  ['JSON that is none', '{"title":}', 'Line 1: The JSON is not well formed.'],
  [
    'a page whose scripts are none',
    '<html>\n<script type="application/ld+json">{"@type":}</script>',
    'Line 2: The JSON is not well formed.',
  ],
  ['deep JSON', '['.repeat(100), 'Line 1: The JSON is nested too deeply.'],
  ['headings whose quotation has no end', 'id,"title\n1,abc\n2,d', 'Line 1: A quotation mark is not closed.'],
])('refuses %s', async (_, text, message) => {
  const error = await readText(text).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UnreadableFile);
  expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

test.each([
  ['an ad in a list', '[{"title":"A"},\n{"title":},\n{"title":"B"}]'],
  [
    'a script of a page',
    `<html><script type="application/ld+json">{"@type":"Product","name":"A"}</script>
     <script type="application/ld+json">{"@type":}</script>
     <script type="application/ld+json">{"@type":"Product","name":"B"}</script>`,
  ],
])('%s that is no JSON stops no other', async (_, text) => {
  const { rows } = await readText(text);
  expect(rows.map(({ line, title }) => [line, title])).toEqual([
    [1, 'A'],
    [2, ''],
    [3, 'B'],
  ]);
  expect(problemsOf(rows.slice(1, 2))).toEqual(['2 : The JSON is not well formed']);
});

test.each([
  [
    'a quotation without an end',
    'id,title\n1,A\n2,"abc\n3,B',
    3,
    'title: A quotation mark is missing, or one is too many',
  ],
  [
    'a byte of another encoding',
    'id,title\n1,Tür\n2,\u0001\n3,B',
    3,
    'title: There are bytes that are no characters of UTF-8',
  ],
  [
    'an unknown entity',
    `<ads>${AD}\n${AD.replace('A', '&x;')}\n${AD}</ads>`,
    2,
    ': The XML is not well formed (undefined entity)',
  ],
  [
    'an element that is not closed',
    `<ads>${AD}\n<ad><title>A\n</ad>\n${AD}</ads>`,
    2,
    ': The XML is not well formed (unexpected close tag)',
  ],
  [
    'a text in JSON that is not closed',
    '[{"id":"1","title":"A"},\n{"id":"2,"title":"B"},\n{"id":"3","title":"C"}]',
    2,
    ': The JSON is not well formed',
  ],
])('%s is a mistake of its row alone', async (_, text, line, problem) => {
  const bytes = Buffer.from(text).map((byte) => (byte === 1 ? 0xe9 : byte));
  const { rows } = await readBytes(bytes);
  expect(rows).toHaveLength(3);
  expect(rows[1]!.line).toBe(line);
  expect(problemsOf(rows.slice(1, 2))).toEqual([`${line} ${problem}`]);
  expect([rows[0]!.externalId, rows[2]!.externalId]).not.toContain('');
});

test('what is no ad is named once, for that alone', async () => {
  const toScript = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>\n`;
  const { rows } = await readText(`<html>${toScript({ '@type': 'Product', name: 'A' })}${toScript(5)}</html>`);
  expect(problemsOf(rows.slice(1))).toEqual(['2 : This is no ad']);
  expect(rows[1]!.unknownCategory).toBeUndefined();
});

test('addresses that are none are named, the first ones each', async () => {
  const images = ['https://a.example/1.jpg', 'photo1.jpg', 'ftp://b.example', 'c', 'd', 'e', 'f', 'g'];
  const { rows } = await readText(JSON.stringify([{ title: 'A', description: 'B', price: '1', images }]));
  expect(rows[0]!.content!.imageUrls).toEqual([images[0]]);
  expect(rows[0]!.notes.map(toEnglish)).toEqual([
    ...images.slice(1, 6).map((url) => `${url}: no address of the web`),
    '2 photos left out: no address that begins with https://',
  ]);
});

test('details that are too long are cut if asked; a number is no text', async () => {
  const details = { make: 'x'.repeat(101), mileage: '1'.repeat(101) };
  const ad = { title: 'A', description: 'B', price: '1', category: 'vehicles' };
  const truncated = async (given: object) => readText(JSON.stringify([{ ...ad, details: given }]), { truncate: true });
  expect((await readText(JSON.stringify([{ ...ad, details }]))).right).toEqual([]);
  expect((await truncated({ make: details.make })).right[0]!.content!.details.make).toHaveLength(LIMITS.detail);
  expect(problemsOf((await truncated(details)).rows)).toHaveLength(1);
});

test('a table is no file of a format that is asked for', async () => {
  await expect(readText('id,title\n1,a', { format: 'etsy' })).rejects.toThrow('This is no file of the format etsy.');
});

test('a long token is refused before it fills the memory', async () => {
  let asked = 0;
  const endless = async function* () {
    yield Buffer.from(`<ads>${AD}<!--`);
    for (;;) {
      asked += 1;
      yield Buffer.alloc(64 * 1024, 'x');
    }
  };
  const file = await openAdFile(endless());
  const readAll = async () => {
    for await (const ad of file.ads({})) expect(ad.title).toBe('A');
  };
  await expect(readAll()).rejects.toThrow('An ad is longer than 1 MB.');
  expect(asked).toBeLessThan(100);
});
