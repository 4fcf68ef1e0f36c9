import type { Rgb, Shape } from './painter.ts';

/** The keys of the fallback emoji: one kind of still life each. */
export type SceneKind =
  | 'electronics'
  | 'vehicles'
  | 'furniture'
  | 'clothing'
  | 'books'
  | 'sports'
  | 'home-garden'
  | 'toys'
  | 'services'
  | 'other';
type Draw = (random: () => number, main: Rgb, second: Rgb) => Shape[];

const DARK: Rgb = [28, 30, 34];
const STEEL: Rgb = [168, 172, 176];
const WOOD: Rgb = [134, 92, 56];
const LEAF: Rgb = [62, 120, 58];
const box = (x: number, y: number, w: number, h: number, color: Rgb, round = 0.15, tilt = 0): Shape => ({
  kind: 'box',
  x,
  y,
  w,
  h,
  color,
  round,
  tilt,
});
const disc = (x: number, y: number, w: number, h: number, color: Rgb): Shape => ({
  kind: 'ellipse',
  x,
  y,
  w,
  h,
  color,
});

/** Shapes of each kind, from back to front, around the point where the thing stands (y grows downwards). */
export const OBJECTS: Record<SceneKind, Draw> = {
  electronics: (random, main) => [
    box(0, -0.2, 0.26, 0.2, DARK, 0.06),
    box(0, -0.21, 0.245, 0.175, main, 0.03),
    disc(-0.08, -0.26, 0.1, 0.09, [Math.min(255, main[0] + 70), Math.min(255, main[1] + 60), main[2]]),
    box(0, 0.03, 0.3 + random() * 0.05, 0.022, STEEL, 0.5),
  ],
  vehicles: (random, main) => [
    box(0.0, -0.12, 0.34, 0.08, main, 0.6),
    box(-0.02 + random() * 0.05, -0.23, 0.19, 0.08, main, 0.8),
    box(-0.1, -0.225, 0.075, 0.05, [150, 176, 190], 0.5),
    box(0.07, -0.225, 0.075, 0.05, [150, 176, 190], 0.5),
    disc(-0.2, -0.03, 0.066, 0.088, DARK),
    disc(0.2, -0.03, 0.066, 0.088, DARK),
    disc(-0.2, -0.03, 0.032, 0.043, STEEL),
    disc(0.2, -0.03, 0.032, 0.043, STEEL),
    disc(0.32, -0.13, 0.018, 0.022, [250, 236, 190]),
  ],
  furniture: (random, main, second) => [
    box(0, -0.2, 0.33, 0.13, main, 0.3),
    box(-0.14, -0.09, 0.15, 0.06, main, 0.5),
    box(0.15, -0.09, 0.15, 0.06, main, 0.5),
    box(-0.33, -0.11, 0.045, 0.11, main, 0.6),
    box(0.33, -0.11, 0.045, 0.11, main, 0.6),
    box(-0.15 + random() * 0.2, -0.19, 0.065, 0.085, second, 0.4, 0.3),
    box(-0.3, 0.03, 0.014, 0.035, WOOD),
    box(0.3, 0.03, 0.014, 0.035, WOOD),
  ],
  clothing: (random, main, second) => [
    box(-0.15, -0.2, 0.12, 0.055, main, 0.6, -0.6),
    box(0.15, -0.2, 0.12, 0.055, main, 0.6, 0.6),
    box(0, -0.14, 0.14, 0.21, main, 0.15),
    disc(0, -0.34, 0.05, 0.035, second),
    ...Array.from({ length: 4 }, (_, i) => box(0, -0.22 + i * 0.085 + random() * 0.01, 0.138, 0.012, second, 0.2)),
  ],
  books: (random, main, second) =>
    Array.from({ length: 6 }, (_, i) =>
      box(
        (random() - 0.5) * 0.05,
        0.02 - i * 0.058,
        0.2 - random() * 0.04,
        0.026,
        i % 2 ? main : second,
        0.15,
        (random() - 0.5) * 0.04,
      ),
    ),
  sports: (random, main, second) => [
    disc(0, -0.16, 0.17, 0.226, main),
    box(0, -0.16, 0.165, 0.008, DARK, 0.5, random()),
    box(0, -0.16, 0.165, 0.008, DARK, 0.5, random() + 1.4),
    disc(0.24, -0.03, 0.05, 0.066, second),
  ],
  'home-garden': (random, main) => [
    ...Array.from({ length: 14 }, () =>
      disc((random() - 0.5) * 0.28, -0.3 + (random() - 0.5) * 0.22, 0.06, 0.045, [
        LEAF[0] + random() * 50,
        LEAF[1] + random() * 50,
        LEAF[2],
      ]),
    ),
    box(0, -0.05, 0.1, 0.1, main, 0.25),
    box(0, -0.14, 0.12, 0.022, main, 0.4),
  ],
  toys: (random, main, second) => [
    disc(0, -0.08, 0.13, 0.15, main),
    disc(-0.08, -0.36, 0.045, 0.055, main),
    disc(0.08, -0.36, 0.045, 0.055, main),
    disc(0, -0.28, 0.1, 0.12, main),
    disc(0, -0.25, 0.045, 0.045, second),
    disc(-0.035, -0.31, 0.012, 0.015, DARK),
    disc(0.035, -0.31, 0.012, 0.015, DARK),
    disc(-0.13, -0.1 + random() * 0.04, 0.05, 0.06, main),
    disc(0.13, -0.1, 0.05, 0.06, main),
  ],
  services: (random, main, second) => [
    box(0, -0.07, 0.24, 0.12, main, 0.15),
    box(0, -0.2, 0.1, 0.03, DARK, 0.8),
    box(0, -0.1, 0.24, 0.014, second, 0.2),
    box(0.02, -0.27, 0.014, 0.17, STEEL, 0.4, 0.5 + random() * 0.3),
    box(-0.1, -0.26, 0.02, 0.15, second, 0.5, -0.4 - random() * 0.3),
  ],
  other: (random, main, second) => [
    box(-0.06, -0.1, 0.17, 0.15, WOOD, 0.05),
    box(-0.06, -0.1, 0.03, 0.15, second, 0.02),
    box(0.17, -0.05 - random() * 0.02, 0.1, 0.1, main, 0.05, 0.08),
  ],
};
