/** Painted still lifes that pass for photographs of things for sale: pixels only, no files, the same for the same seed. */

import { OBJECTS, type SceneKind } from './objects.ts';
import { type Canvas, createCanvas, gradient, grain, paint, type Rgb } from './painter.ts';

export type { SceneKind } from './objects.ts';
export const SCENE_KINDS = Object.keys(OBJECTS) as SceneKind[];

const WALLS: Rgb[] = [
  [214, 205, 192],
  [186, 199, 205],
  [203, 190, 178],
  [176, 184, 170],
  [224, 214, 216],
  [160, 170, 184],
];
const FLOORS: Rgb[] = [
  [148, 112, 78],
  [120, 118, 116],
  [176, 152, 120],
  [98, 84, 76],
];
const PAINTS: Rgb[] = [
  [176, 52, 44],
  [38, 84, 140],
  [44, 110, 84],
  [212, 160, 52],
  [88, 62, 120],
  [60, 64, 72],
  [222, 222, 216],
  [196, 108, 60],
];

/** A repeatable source of numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Paints scene number `seed` of a kind as RGB pixels, 3 bytes each. */
export function paintScene(kind: SceneKind, seed: number, width = 1008, height = 756): Canvas {
  const random = createRandom(seed * 7919 + SCENE_KINDS.indexOf(kind) * 104729);
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const canvas = createCanvas(width, height);
  const horizon = 0.55 + random() * 0.17;
  gradient(canvas, 0, horizon, pick(WALLS), random());
  gradient(canvas, horizon, 1, pick(FLOORS), random());
  // Shapes are drawn for a 4:3 canvas; on any other they keep their proportions.
  const tall = width / height / (4 / 3);
  const place = { x: 0.42 + random() * 0.16, y: horizon + 0.1 * tall, scale: 0.85 + random() * 0.3 };
  paint(
    canvas,
    { kind: 'ellipse', x: place.x, y: place.y + 0.06, w: 0.36 * place.scale, h: 0.05, color: [0, 0, 0] },
    0.45,
    0.06,
  );
  for (const shape of OBJECTS[kind](random, pick(PAINTS), pick(PAINTS))) {
    const scaled = {
      x: place.x + shape.x * place.scale,
      y: place.y + shape.y * place.scale * tall,
      w: shape.w * place.scale,
      h: shape.h * place.scale * tall,
    };
    paint(canvas, { ...shape, ...scaled }, 1, 0.002);
  }
  grain(canvas, random);
  return canvas;
}
