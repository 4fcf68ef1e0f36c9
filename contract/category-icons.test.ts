import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import seeds from '../seeds/categories.json' with { type: 'json' };
import { CATEGORY_ICONS, toEmoji, toIcon } from './category-icons.ts';

const drawings = readFileSync(new URL('../web/src/features/ads/category-icons.svg', import.meta.url), 'utf8');

test('every icon is drawn, and stands for an emoji of its own', () => {
  expect([...drawings.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id)).toEqual(CATEGORY_ICONS);
  expect(CATEGORY_ICONS.length).toBeGreaterThanOrEqual(40);
  for (const icon of CATEGORY_ICONS) expect(toIcon(toEmoji(icon))).toBe(icon);
});

test('the seeded categories have an icon each; another emoji has none', () => {
  const icons = seeds.map(({ emoji }) => toIcon(emoji));
  expect(icons).not.toContain(null);
  expect(new Set(icons).size).toBe(seeds.length);
  expect(toIcon('\u{1F6CB}')).toBe('sofa');
  expect(toIcon('🧙')).toBeNull();
  expect(toIcon('')).toBeNull();
});
