import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../../../contract/limits.ts';
import { DEFAULT_CURRENCY, setCurrency } from '../../../../contract/money.ts';
import { readPrice, readSmallUnits } from './amounts.ts';
import { readJson } from './json.ts';
import { fromBBCode, readEntities, toPlainText } from './plain-text.ts';

const inPieces = async function* (text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
};

test('the values of a list are found whole, in pieces of any size, whatever their texts contain', async () => {
  const item = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.jsonValue({ maxDepth: 2 }));
  const list = fc.constantFrom(...['ads', '@graph', 'items', null]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(item),
      list,
      fc.nat(3),
      fc.integer({ min: 1, max: 50 }),
      async (items, key, indent, size) => {
        const text = JSON.stringify(key === null ? items : { about: 'x"[{', [key]: items }, null, indent);
        const read: unknown[] = [];
        for await (const { value } of readJson(inPieces(text, size))) read.push(value);
        expect(read).toEqual(JSON.parse(JSON.stringify(items)));
      },
    ),
  );
});

test('what is no JSON between the values of a list is named', async () => {
  const read: unknown[] = [];
  const text = '[{"a": 1}, NaN, 1 {"b": 2}, undefined\n,]';
  for await (const { value, problem } of readJson(inPieces(text, 3))) read.push(problem ? problem.what.key : value);
  expect(read).toEqual([{ a: 1 }, ...Array(3).fill('mistakes.jsonBroken')]);
});

test('an object without a list is an ad itself', async () => {
  const ad = { title: 'a', images: ['x'], offers: [{ price: '1' }] };
  const read: unknown[] = [];
  for await (const { value } of readJson(inPieces(JSON.stringify(ad), 5))) read.push(value);
  expect(read).toEqual([ad]);
});

test.each([
  ['12', undefined, '12', null],
  ['1234.50', undefined, '1234.50', null],
  ['1,234.50', undefined, '1234.50', null],
  ['$12.00', undefined, '12.00', 'USD'],
  ['USD 80.00', undefined, '80.00', 'USD'],
  ['30.00 GBP', undefined, '30.00', 'GBP'],
  ['€ 12', undefined, '12', 'EUR'],
  ['1.120,00 €', 'comma', '1120.00', 'EUR'],
  ['1.500', 'comma', '1500', null],
  ['45,00', undefined, '', null],
  ['1,200', undefined, '', null],
  ['45.00', 'comma', '', null],
  ['1,200', 'point', '1200', null],
  ['1,200', 'comma', '1.200', null],
  ['1,23,456.5', 'point', '123456.5', null],
  ['1 200', 'point', '1200', null],
  ['1 200', 'comma', '1200', null],
  ["1'200.50", undefined, '1200.50', null],
  ['1’200.-', 'point', '1200', null],
  ['1.200,-', undefined, '', null],
  ['1.200,-', 'comma', '1200', null],
  ['US$ 12', undefined, '12', 'USD'],
  ['R$ 1.234,50', 'comma', '1234.50', 'BRL'],
  ['1,200円', 'point', '1200', 'JPY'],
  ['１２００', undefined, '1200', null],
  ['١٬٢٣٤٫٥٠', undefined, '1234.50', null],
  ['19⁹⁹ €', undefined, '', null],
  ['12½', undefined, '', null],
  [`12.50${' '.repeat(60)}or 99`, undefined, '', null],
  ['12 kr', undefined, '', null],
  ['$ 12 $', undefined, '', null],
  ['12 kg', undefined, '', null],
  ['-5', undefined, '', null],
  ['1e3', undefined, '', null],
  ['', undefined, '', null],
] as const)('"%s" with a decimal %s is "%s" %s', (text, decimal, price, currency) => {
  expect(readPrice(text, { decimal })).toMatchObject({ price, ...(price && { currency }) });
  expect(readPrice(text, { decimal }).problem === undefined).toBe(price !== '');
});

test('a sign of several currencies is that of the marketplace, if it has it', () => {
  setCurrency({ ...DEFAULT_CURRENCY, code: 'SEK' });
  onTestFinished(() => setCurrency(DEFAULT_CURRENCY));
  expect(readPrice('1 200 kr', { decimal: 'comma' })).toEqual({ price: '1200', currency: 'SEK' });
  expect(readPrice('$12').problem).toBeDefined();
});

test('cents and millionths are divided without rounding', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom(['cents', 2] as const, ['millionths', 6] as const),
      (number, [unit, places]) => {
        const { price } = readSmallUnits(String(number), unit);
        expect(Math.round(Number(price) * 10 ** places)).toBe(number);
        expect(price).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      },
    ),
  );
  expect(readSmallUnits('249000000', 'millionths').price).toBe('249');
  expect(readSmallUnits('1.500', 'cents')).toMatchObject({
    price: '',
    problem: { what: { key: 'mistakes.notCents' } },
  });
});

test.each([
  ['<p>One</p><p>Two<br/>three</p>', 'One\n\nTwo\nthree'],
  ['<ul><li>a</li>\n<li>b</li></ul>', '- a\n- b'],
  ['<div>open <ul><li>one<li>two</div>', 'open\n- one\n- two'],
  ['a<script>alert(1)</script>b<br>', 'ab'],
  ['fits < 5 kg\nand > 2', 'fits < 5 kg\nand > 2'],
  ['R&amp;B &eacute;t&Uuml; &#8364;&#x41; &nope; &amp;lt;', 'R&B étÜ €A &nope; &lt;'],
])('"%s" is "%s" as text', (html, text) => {
  expect(toPlainText(html)).toBe(text);
});

test('a text behind many invisible tags is read; of a very long text, only the beginning', () => {
  expect(toPlainText(`<p>${'<br>'.repeat(100_000)}Oak`)).toBe('Oak');
  expect(toPlainText(`<style>${'p{}'.repeat(100_000)}</style><p>Oak</p>`)).toBe('Oak');
  const book = toPlainText('<p>Oak</p>'.repeat(100_000));
  expect(book.startsWith('Oak\n')).toBe(true);
  expect(book.length).toBeGreaterThan(LIMITS.description);
  expect(book.length).toBeLessThan(100_000);
});

test('entities and BBCode become text, and no text takes long', () => {
  expect(readEntities('&#0;&#xD800;&#1114112;')).toBe('&#0;&#xD800;&#1114112;');
  expect(fromBBCode('[b]a[/b][br][list][*]b[/list] [url=x]x[/url][img]y[/img]')).toBe('a\n- b x');
  for (const part of ['<p', '<!--', '<script>', '[url=', '&#', '<p>', ' ', '<br'])
    expect(typeof fromBBCode(toPlainText(`<p>${part.repeat(50_000 / part.length)}`))).toBe('string');
});
