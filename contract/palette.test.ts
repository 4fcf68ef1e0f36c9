import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKGROUNDS, derivePalette, getContrast, TEXT_CONTRAST } from './palette.ts';

const toHex = (number: number) => `#${number.toString(16).padStart(6, '0')}`;
const accents = fc.integer({ min: 0, max: 0xffffff }).map(toHex);

/** All pairs of a text and what is behind it. A ring and a border need less. */
const listPairs = (accent: string) => {
  const palette = derivePalette(accent);
  return (['light', 'dark'] as const).flatMap((theme) => {
    const tones = palette[theme];
    return [
      ...BACKGROUNDS[theme].flatMap((background) => [
        [tones.primary, background],
        [tones.ring, background],
        [tones['accent-foreground'], background],
      ]),
      [tones['primary-foreground'], tones.primary],
      [tones['accent-foreground'], tones.accent],
    ] as [string, string][];
  });
};

const findUnreadable = (accent: string) =>
  listPairs(accent).filter(([text, background]) => !(getContrast(text, background) >= TEXT_CONTRAST));

test('every text in a colour of any accent can be read, in light and dark', () => {
  fc.assert(
    fc.property(accents, (accent) => {
      expect(findUnreadable(accent)).toEqual([]);
    }),
  );
});

test.each(['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff', '#808080'])(
  'the corner %s of the colours as well',
  (accent) => expect(findUnreadable(accent)).toEqual([]),
);

test('every derived colour is one that a style sheet understands', () => {
  fc.assert(
    fc.property(accents, (accent) => {
      const { light, dark } = derivePalette(accent);
      for (const hex of [...Object.values(light), ...Object.values(dark)]) expect(hex).toMatch(/^#[0-9a-f]{6}$/);
    }),
  );
});

test('an accent with enough contrast is used as it is in light; another one is corrected', () => {
  fc.assert(
    fc.property(accents, (accent) => {
      const { light } = derivePalette(accent);
      const isReadable = ['#fcfcfc', ...BACKGROUNDS.light].every((one) => getContrast(accent, one) >= TEXT_CONTRAST);
      expect(light.primary === accent).toBe(isReadable);
    }),
  );
});

test('contrast is that of WCAG', () => {
  expect(getContrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(getContrast('#ffffff', '#ffffff')).toBeCloseTo(1);
  expect(getContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
