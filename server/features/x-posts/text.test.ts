import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRITTEN_LANGUAGES } from '../../../contract/languages.ts';
import { countCashtags, findUrls, weigh } from '../../../local/x-simulator/api.ts';
import { adUrl, buildIntentUrl, buildPost, buildPostText, MAX_WEIGHT, neutralize } from './text.ts';

const LINK = 'https://market.example/ads/10001';
const build = (title: string, price = '1200.00') => buildPostText('ad', { title, price, priceType: 'fixed' }, LINK);

test('a line describes the ad, the next is its link', () => {
  expect(build('Vintage desk lamp')).toBe(`For sale: Vintage desk lamp — $1,200\n${LINK}`);
  expect(build('Lamp', '9.50')).toBe(`For sale: Lamp — $9.50\n${LINK}`);
  expect(buildPostText('favorite', { title: 'Lamp', price: '9.50', priceType: 'fixed' }, LINK)).toBe(
    `Saved this ad: Lamp — $9.50\n${LINK}`,
  );
  const sofa = { title: 'Sofa', price: '0.00' };
  expect(buildPostText('ad', { ...sofa, priceType: 'free' }, LINK)).toBe(`For sale: Sofa — Free\n${LINK}`);
  expect(buildPostText('ad', { ...sofa, price: '80', priceType: 'wanted' }, LINK)).toBe(`Wanted: Sofa — $80\n${LINK}`);
  const offered = { title: 'Lamp', price: '9.50', priceType: 'negotiable' } as const;
  expect(buildPostText('ad', offered, LINK)).toBe(`For sale: Lamp — $9.50 or best offer\n${LINK}`);
  const saved = { ...sofa, price: '80', priceType: 'wanted' } as const;
  expect(buildPostText('favorite', saved, LINK)).toBe(`Saved this ad: Sofa — Wanted for $80\n${LINK}`);
  expect(adUrl('https://market.example', '7')).toBe('https://market.example/ads/7');
});

test.each(WRITTEN_LANGUAGES)('a post speaks the language of the marketplace and fits: %s', (language) => {
  const config = { timeZone: 'UTC', publicUrl: 'https://shop.example', locales: [language, 'en'] as const };
  const build = (title: string) => buildPost(config, 'ad', { id: '5', title, price: '40', priceType: 'wanted' });
  const post = build('Sofa');
  expect(post).toContain('Sofa');
  expect(post).not.toMatch(/\0|\{\{|xPost/);
  expect(post.endsWith('\nhttps://shop.example/ads/5')).toBe(true);
  expect(post.startsWith('Wanted: ')).toBe(language === 'en');
  expect(weigh(build('很'.repeat(200)))).toBeLessThanOrEqual(MAX_WEIGHT);
});

describe('what X would act on is taken from titles', () => {
  test.each([
    ['@elon sells', 'elon sells'],
    ['＠elon ＃deal', 'elon deal'],
    ['#sale #now', 'sale now'],
    ['$TSLA and $$AMZN shirts', 'TSLA and AMZN shirts'],
    ['$@TSLA', 'TSLA'],
    ['only $250', 'only $250'],
    ['ASP.NET course', 'ASP. NET course'],
    ['see evil.example.com/x', 'see evil. example. com/x'],
    ['https://evil.com', 'https evil. com'],
    ['version 2.5', 'version 2.5'],
    ['a\u202Egnp.exe\u2066b', 'agnp. exeb'],
    ['soft\u00ADhy\u200Bphen', 'softhyphen'],
    ['👩‍👩‍👧 family 🇸🇪', '👩‍👩‍👧 family 🇸🇪'],
    ['نمی‌خواهم', 'نمی‌خواهم'],
    ['@@@', '…'],
  ])('%s', (title, expected) => expect(neutralize(title)).toBe(expected));
});

test('a long title is cut between graphemes and the text fits, whatever the script', () => {
  for (const title of ['a'.repeat(400), '漢字'.repeat(200), '👩‍👩‍👧'.repeat(200), 'é̂'.repeat(200)]) {
    const text = build(title);
    expect(weigh(text)).toBeLessThanOrEqual(MAX_WEIGHT);
    expect(weigh(text)).toBeGreaterThan(MAX_WEIGHT - 4);
    expect(text).toMatch(/… — \$1,200\nhttps/);
  }
  expect(build('👩‍👩‍👧'.repeat(200))).toMatch(/^For sale: (👩‍👩‍👧)+… — /u);
});

test('no title mentions, tags, links elsewhere or outgrows a post', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('@', '＠', '#', '$', '.', '/', ':', 'a', 'com', ' ', '漢', '👩‍👩‍👧', '\u202E', '\u200D'),
  });
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 300 })), (title) => {
      const text = build(title);
      expect(text.replace(LINK, '')).not.toMatch(/[@＠#＃]/);
      expect(countCashtags(text)).toBe(0);
      expect(findUrls(text)).toEqual([LINK]);
      expect(weigh(text)).toBeLessThanOrEqual(MAX_WEIGHT);
    }),
    { numRuns: 2000 },
  );
});

test("X's composer gets exactly the text", () => {
  const text = build('Lamp & shade');
  expect(new URL(buildIntentUrl('https://x.com', text)).searchParams.get('text')).toBe(text);
});
