import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openAdFile } from '../read-ads.ts';
import type { ImportedAd } from './imported-ad.ts';

const inChunks = async function* (bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

/** The ads of a file without what depends on their line. */
const read = async (bytes: Uint8Array, size: number): Promise<ImportedAd[]> => {
  const file = await openAdFile(inChunks(bytes, size));
  const ads: ImportedAd[] = [];
  for await (const ad of file.ads({ columns: file.table?.guess, decimal: 'point' })) ads.push(ad);
  return ads;
};

const plain = ({ line: _, ...ad }: ImportedAd) => ad;

interface Thing {
  id: string;
  title: string;
  description: string;
  price: string;
  category: string;
  color: string;
}

const words = fc
  .array(
    fc.constantFrom(
      'oak',
      'Größe',
      'a "fine" one,',
      'of 5" pipes',
      '東京,',
      'and; so',
      '«x»',
      "it's",
      'new\nline',
      '\n- a',
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(' ').trim());

const things = fc
  .array(
    fc.record({
      title: words.map((text) => text.replaceAll('\n', ' ')),
      description: words,
      price: fc.integer({ min: 1, max: 9999 }).map(String),
      category: fc.constantFrom('furniture', 'Möbel, alt'),
      color: fc.constantFrom('', 'red', 'blau'),
    }),
    { minLength: 3, maxLength: 8 },
  )
  .map((list) => list.map((thing, at): Thing => ({ id: `A-${at}`, ...thing })));

const HEADINGS = ['id', 'title', 'description', 'price', 'category', 'color'] as const;

interface Parts {
  before: string;
  rows: string[];
  between: string;
  after: string;
}

const toTable = (all: readonly Thing[], delimiter: string, isQuoted: boolean): Parts => {
  const cell = (text: string) =>
    isQuoted || text.includes(delimiter) || /["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const row = (thing: Thing) => HEADINGS.map((heading) => cell(thing[heading])).join(delimiter);
  return { before: `${HEADINGS.join(delimiter)}\n`, rows: all.map(row), between: '\n', after: '\n' };
};

const toJson = (all: readonly Thing[], indent: number): Parts => {
  const item = (thing: Thing) =>
    JSON.stringify({ ...thing, images: [{ url: 'https://a.example/1' }, {}] }, null, indent);
  return { before: '[', rows: all.map(item), between: indent ? ',\n' : ',', after: ']' };
};

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const toXml = (all: readonly Thing[], hasCdata: boolean): Parts => {
  const text = (value: string) => (hasCdata ? `<![CDATA[${value}]]>` : escapeXml(value));
  const item = (thing: Thing) =>
    `<item><g:id>${thing.id}</g:id><title>${text(thing.title)}</title><description>${text(thing.description)}</description>
      <g:price>${thing.price} USD</g:price><g:image_link>https://a.example/1</g:image_link></item>`;
  return {
    before:
      '<?xml version="1.0"?>\n<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Größe</title>\n',
    rows: all.map(item),
    between: '\n',
    after: '</channel></rss>',
  };
};

const toBytes = ({ before, rows, between, after }: Parts): Buffer =>
  Buffer.from(`${before}${rows.join(between)}${after}`);

const LONE_BYTE = 'a lone byte';

/** One row with one sign more, less or of another kind, or with a byte of another encoding. */
const damage = (
  parts: Parts,
  { row, at, sign, how }: { row: number; at: number; sign: string; how: string },
): Buffer => {
  const text = parts.rows[row]!;
  const place = at % text.length;
  const rows = (changed: string) => parts.rows.map((one, index) => (index === row ? changed : one));
  if (how === LONE_BYTE) {
    const before = toBytes({ ...parts, rows: rows(`${text.slice(0, place)}\u0001${text.slice(place + 1)}`) });
    return Buffer.from(before.map((byte) => (byte === 1 ? 0xff : byte)));
  }
  const rest = text.slice(how === 'one more' ? place : place + 1);
  return toBytes({ ...parts, rows: rows(text.slice(0, place) + (how === 'one less' ? '' : sign) + rest) });
};

const HOW = fc.constantFrom(LONE_BYTE, 'one more', 'one less', 'another');

test.each([
  ['a table', (all: Thing[]) => toTable(all, ',', false), '",'],
  ['a table in quotation marks', (all: Thing[]) => toTable(all, ';', true), '";'],
  ['a table with tabs', (all: Thing[]) => toTable(all, '\t', false), '"\t'],
  ['JSON', (all: Thing[]) => toJson(all, 0), '"{}[],:\\'],
  ['JSON on lines', (all: Thing[]) => toJson(all, 2), '"{}[],:\\'],
  ['XML', (all: Thing[]) => toXml(all, false), '<>&/"'],
  ['XML with CDATA', (all: Thing[]) => toXml(all, true), '<>&/"]!'],
])('a row of %s that is damaged anywhere stops no other', async (_, toParts, signs) => {
  const harm = fc.record({ row: fc.nat(), at: fc.nat(), sign: fc.constantFrom(...signs), how: HOW });
  await fc.assert(
    fc.asyncProperty(things, harm, fc.integer({ min: 1, max: 400 }), async (all, { row, ...rest }, size) => {
      const parts = toParts(all);
      const index = row % all.length;
      const whole = await read(toBytes(parts), size);
      expect(whole).toHaveLength(all.length);
      const damaged = damage(parts, { row: index, ...rest });
      // how ads begin in JSON, the first one says
      if (parts.after === ']' && index === 0 && rest.at % parts.rows[0]!.length < 12) return;
      const ads = await read(damaged, size);
      const right = ads.filter(({ problems }) => problems.length === 0).map(plain);
      const others = whole.filter((_, at) => at !== index).map(plain);
      for (const other of others) expect(right).toContainEqual(other);
      // what is left of the damaged row is that row, or one with a mistake
      expect(right.length - others.length).toBeLessThanOrEqual(1);
      expect(await read(damaged, damaged.length)).toEqual(ads);
    }),
    { numRuns: 200 },
  );
});
