import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Exchange, Reply } from './exchange.ts';

const SIZES: Record<string, number> = { _normal: 48, _bigger: 73, _400x400: 400, '': 400 };

/** `/profile_images/{id}_{size}.png`: a figure on a background, coloured after the id. */
export const showAvatar = ({ params }: Exchange): Reply => {
  const [, id = '', size = ''] = /^(\d+)(_normal|_bigger|_400x400)?\.(?:png|jpg)$/.exec(params.file ?? '') ?? [];
  if (!id) return { status: 404, headers: {}, body: '' };
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' };
  return { status: 200, headers, body: drawAvatar(id, SIZES[size] ?? 400) };
};

const drawAvatar = (id: string, size: number): Buffer => {
  const hue = createHash('sha256').update(id).digest().readUInt16BE() % 360;
  const [back, figure] = [fromHue(hue, 0.42), fromHue((hue + 25) % 360, 0.88)];
  const rows = Buffer.alloc(size * (size * 3 + 1));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const cover = coverage(x / size, y / size, 1 / size);
      const at = y * (size * 3 + 1) + 1 + x * 3;
      for (let c = 0; c < 3; c++) {
        const shade = (back[c] ?? 0) * (1 - y / size / 4);
        rows[at + c] = Math.round(255 * (shade + ((figure[c] ?? 0) - shade) * cover));
      }
    }
  }
  return encodePng(size, rows);
};

/** How much of the pixel is head or shoulders, with soft edges. */
const coverage = (x: number, y: number, pixel: number): number => {
  const head = 0.17 - Math.hypot(x - 0.5, y - 0.4);
  const shoulders = 0.33 - Math.hypot(x - 0.5, (y - 0.98) * 0.92);
  return Math.min(1, Math.max(0, Math.max(head, shoulders) / pixel + 0.5));
};

const fromHue = (hue: number, lightness: number): [number, number, number] => {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return lightness - 0.55 * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
};

const encodePng = (size: number, rows: Buffer): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // 8 bits, RGB
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
};

const chunk = (type: string, data = Buffer.alloc(0)): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
