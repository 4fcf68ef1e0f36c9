import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const tokensOf = (selector: string): Record<string, string> => {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]));
};

const luminance = (hex: string): number => {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

const TEXT = 4.5;
const GRAPHIC = 3;

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

test.each([':root', '.dark'])('every pair of colours of %s can be distinguished', (selector) => {
  const tokens = tokensOf(selector);
  const ratios = PAIRS.map(([foreground, background, atLeast]) => ({
    pair: `${foreground} on ${background}`,
    enough: contrast(tokens[foreground] ?? '', tokens[background] ?? '') >= atLeast,
  }));
  expect(ratios.filter(({ enough }) => !enough)).toEqual([]);
});

test('the page for people without a network has the same colors', () => {
  const worker = readFileSync(new URL('../../service-worker/service-worker.ts', import.meta.url), 'utf8');
  const colors = [...worker.matchAll(/--[\w-]+: #[0-9a-f]{6}/g)].map(([declaration]) => declaration);
  expect(colors.length).toBeGreaterThan(0);
  for (const color of colors) expect(css).toContain(`${color};`);
});
