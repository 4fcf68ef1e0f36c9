import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_BRAND } from '../../../contract/default-brand.ts';
import { BACKGROUNDS, derivePalette, GRAPHIC_CONTRAST, getContrast, TEXT_CONTRAST } from '../../../contract/palette.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const tokensOf = (selector: string): Record<string, string> => {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]));
};

const TEXT = TEXT_CONTRAST;
const GRAPHIC = GRAPHIC_CONTRAST;

const PAIRS: [foreground: string, background: string, atLeast: number][] = [
  ...['background', 'surface', 'card', 'muted'].flatMap((background): [string, string, number][] => [
    ['foreground', background, TEXT],
    ['muted-foreground', background, TEXT],
    ['destructive', background, TEXT],
    ['primary', background, TEXT],
  ]),
  ['primary-foreground', 'primary', TEXT],
  ['destructive-foreground', 'destructive', TEXT],
  ['accent-foreground', 'accent', TEXT],
  ['success', 'success-soft', TEXT],
  ['warning', 'warning-soft', TEXT],
  ['input', 'background', GRAPHIC],
  ['input', 'card', GRAPHIC],
  ['ring', 'background', GRAPHIC],
  ['favorite', 'card', GRAPHIC],
  ['verified', 'card', GRAPHIC],
  ['premium', 'card', GRAPHIC],
];

test.each(['.light', '.dark'])('every pair of colours of %s can be distinguished', (selector) => {
  const tokens = tokensOf(selector);
  const ratios = PAIRS.map(([foreground, background, atLeast]) => ({
    pair: `${foreground} on ${background}`,
    enough: getContrast(tokens[foreground] ?? '', tokens[background] ?? '') >= atLeast,
  }));
  expect(ratios.filter(({ enough }) => !enough)).toEqual([]);
});

test('the page for people without a network has the same colors', () => {
  const worker = readFileSync(new URL('../../service-worker/service-worker.ts', import.meta.url), 'utf8');
  const colors = [...worker.matchAll(/--[\w-]+: #[0-9a-f]{6}/g)].map(([declaration]) => declaration);
  expect(colors.length).toBeGreaterThan(0);
  for (const color of colors) expect(css).toContain(`${color};`);
});

test('the palette of the default accent is the one of the tokens, and is derived for their backgrounds', () => {
  const palette = derivePalette(DEFAULT_BRAND.accent);
  for (const [theme, selector] of [
    ['light', '.light'],
    ['dark', '.dark'],
  ] as const) {
    const tokens = tokensOf(selector);
    expect(tokens).toMatchObject(palette[theme]);
    const backgrounds = ['background', 'surface', 'card', 'muted'].map((name) => tokens[name]);
    expect(new Set(BACKGROUNDS[theme])).toEqual(new Set(backgrounds));
  }
});
