/** A very small raster painter: soft-edged, shaded shapes in coordinates of 0–1, so that scenes need no image library. */
export type Rgb = [number, number, number];
export type Canvas = { width: number; height: number; pixels: Uint8ClampedArray };
/** x, y: centre; w, h: half extents, all as fractions (y and h of the height). */
export type Shape = {
  kind: 'ellipse' | 'box';
  x: number;
  y: number;
  w: number;
  h: number;
  color: Rgb;
  round?: number;
  tilt?: number;
};

/** Math.hypot guards against overflow and takes ten times as long. */
const length = (x: number, y: number) => Math.sqrt(x * x + y * y);

export const createCanvas = (width: number, height: number): Canvas => ({
  width,
  height,
  pixels: new Uint8ClampedArray(width * height * 3),
});

/** Fills the rows between two heights with one colour under light that falls in from one side. */
export function gradient(canvas: Canvas, from: number, to: number, color: Rgb, light: number) {
  const { width, height, pixels } = canvas;
  for (let y = Math.round(from * height); y < Math.round(to * height); y++)
    for (let x = 0; x < width; x++) {
      const away = length(x / width - light, y / height - 0.25);
      const shade = 1.14 - 0.42 * away + 0.02 * Math.sin(x / 37 + y / 53);
      for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = color[c]! * shade;
    }
}

/** Paints one shape, lit from the upper left; `soft` is the width of its edge as a fraction of the canvas. */
export function paint(canvas: Canvas, shape: Shape, opacity: number, soft: number) {
  const { width, height, pixels } = canvas;
  const reach = Math.hypot(shape.w, shape.h) * (1 + soft / Math.min(shape.w, shape.h));
  const [left, right] = span(shape.x, reach, width);
  const [top, bottom] = span(shape.y, reach, height);
  const [sin, cos] = [Math.sin(shape.tilt ?? 0), Math.cos(shape.tilt ?? 0)];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const dx = x / width - shape.x;
      const dy = y / height - shape.y;
      const u = (dx * cos + dy * sin) / shape.w;
      const v = (dy * cos - dx * sin) / shape.h;
      const cover = coverage(shape, u, v, soft) * opacity;
      if (cover <= 0) continue;
      const shade = 1.02 - 0.14 * u - 0.2 * v + 0.05 * Math.sin(u * 9 + v * 4);
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) pixels[at + c] = pixels[at + c]! * (1 - cover) + shape.color[c]! * shade * cover;
    }
}

/** Film grain, so that the picture compresses like a photograph and not like a drawing. */
export function grain({ pixels }: Canvas, random: () => number) {
  let noise = Math.floor(random() * 2 ** 32) | 1;
  for (let i = 0; i < pixels.length; i++) {
    noise ^= noise << 13;
    noise ^= noise >>> 17;
    noise ^= noise << 5;
    pixels[i] = pixels[i]! + ((noise & 15) - 7.5) * 0.6;
  }
}

function coverage({ kind, w, h, round = 0.15 }: Shape, u: number, v: number, soft: number): number {
  const size = Math.min(w, h);
  const outside =
    kind === 'ellipse'
      ? (length(u, v) - 1) * size
      : (length(Math.max(Math.abs(u) - 1 + round, 0), Math.max(Math.abs(v) - 1 + round, 0)) - round) * size;
  return Math.max(0, Math.min(1, 0.5 - outside / soft));
}

const span = (center: number, reach: number, size: number) =>
  [Math.max(0, Math.floor((center - reach) * size)), Math.min(size, Math.ceil((center + reach) * size))] as const;
