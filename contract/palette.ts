import { DEFAULT_BRAND } from './default-brand.ts';

/** The colours that follow the accent, by their names in web/src/styles/tokens.css. All are `#rrggbb`. */
export interface Tones {
  primary: string;
  'primary-foreground': string;
  accent: string;
  'accent-foreground': string;
  ring: string;
}

export interface Palette {
  light: Tones;
  dark: Tones;
}

/** Of the default accent, as in tokens.css. */
const DEFAULT_PALETTE: Palette = {
  light: {
    primary: '#0265d9',
    'primary-foreground': '#fcfcfc',
    accent: '#e5f1ff',
    'accent-foreground': '#0b4196',
    ring: '#0265d9',
  },
  dark: {
    primary: '#5ba8fc',
    'primary-foreground': '#080f1c',
    accent: '#1c2b44',
    'accent-foreground': '#a8d2ff',
    ring: '#5ba8fc',
  },
};

export const TEXT_CONTRAST = 4.5;
export const GRAPHIC_CONTRAST = 3;

/** What derived colours are read on: background, surface, card and muted of tokens.css. */
export const BACKGROUNDS = {
  light: ['#ffffff', '#f9fafb', '#f2f4f6'],
  dark: ['#0c0e13', '#12151a', '#161a20', '#1f232a'],
} as const;

const WHITE = '#fcfcfc';

const toChannels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

const toLinear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number): number => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

const getLuminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = toChannels(hex).map(toLinear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** The contrast ratio of WCAG 2, from 1 to 21. */
export const getContrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const toHex = (channels: readonly number[]): string =>
  `#${channels
    .map((value) =>
      Math.round(255 * Math.min(1, Math.max(0, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** A colour in OKLCH, in which equal steps of lightness look equal. The hue is in radians. */
interface Lch {
  lightness: number;
  chroma: number;
  hue: number;
}

const toLch = (hex: string): Lch => {
  const [r = 0, g = 0, b = 0] = toChannels(hex).map(toLinear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(x, y),
    hue: Math.atan2(y, x),
  };
};

const toRgb = ({ lightness, chroma, hue }: Lch): number[] => {
  const [x, y] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((value) => (value < 0 ? value : fromLinear(value)));
};

/** The most vivid colour of this lightness and hue that screens show, up to this chroma. */
const toShown = (wanted: Lch): string => {
  for (let { chroma } = wanted; ; chroma -= 0.005) {
    const rgb = toRgb({ ...wanted, chroma: Math.max(0, chroma) });
    if (chroma <= 0 || rgb.every((value) => value > -0.002 && value < 1.002)) return toHex(rgb);
  }
};

/** The first lightness in steps from `start` whose colour passes; black or white at the latest. */
const walk = (start: Lch, step: number, passes: (hex: string) => boolean): string => {
  for (let { lightness } = start; ; lightness += step) {
    const hex = toShown({ ...start, lightness: Math.min(1, Math.max(0, lightness)) });
    if (lightness <= 0 || lightness >= 1 || passes(hex)) return hex;
  }
};

const isReadable = (hex: string, backgrounds: readonly string[]): boolean =>
  backgrounds.every((background) => getContrast(hex, background) >= TEXT_CONTRAST);

const STEP = 0.004;

/**
 * The palette of an accent. Its hue stays. In light it gets darker until it can be read on every background, and white on
 * it; in dark it is bright, and as much brighter as it has to be.
 */
export const derivePalette = (accent: string): Palette => {
  if (accent === DEFAULT_BRAND.accent) return DEFAULT_PALETTE;
  const given = toLch(accent);
  const isFine = (hex: string) => isReadable(hex, [WHITE, ...BACKGROUNDS.light]);
  const primary = isFine(accent) ? accent : walk(given, -STEP, isFine);
  const soft = toShown({ ...given, lightness: 0.955, chroma: Math.min(given.chroma, 0.025) });
  const ink = { ...given, lightness: 0.42, chroma: Math.min(given.chroma, 0.15) };

  const black = toShown({ ...given, lightness: 0.17, chroma: Math.min(given.chroma, 0.025) });
  const bright = { ...given, lightness: Math.max(given.lightness, 0.72), chroma: Math.min(given.chroma, 0.15) };
  const darkPrimary = walk(bright, STEP, (hex) => isReadable(hex, [black, ...BACKGROUNDS.dark]));
  const deep = toShown({ ...given, lightness: 0.285, chroma: Math.min(given.chroma, 0.05) });
  const pale = { ...given, lightness: 0.84, chroma: Math.min(given.chroma, 0.08) };
  return {
    light: {
      primary,
      'primary-foreground': WHITE,
      accent: soft,
      'accent-foreground': walk(ink, -STEP, (hex) => isReadable(hex, [soft, ...BACKGROUNDS.light])),
      ring: primary,
    },
    dark: {
      primary: darkPrimary,
      'primary-foreground': black,
      accent: deep,
      'accent-foreground': walk(pale, STEP, (hex) => isReadable(hex, [deep, ...BACKGROUNDS.dark])),
      ring: darkPrimary,
    },
  };
};
