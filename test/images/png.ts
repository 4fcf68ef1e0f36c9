import { crc32, deflateSync } from 'node:zlib';

type Chunk = [type: string, data: Uint8Array];
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Builds a PNG from chunks, so that its size, chunks or checksums may be wrong. */
export function writePng(
  header: { width: number; height: number; depth?: number; color?: number; interlace?: number },
  chunks: Chunk[],
) {
  const { width, height, depth = 8, color = 2, interlace = 0 } = header;
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr.set([depth, color, 0, 0, interlace], 8);
  return Buffer.concat([
    SIGNATURE,
    ...[['IHDR', ihdr] as Chunk, ...chunks, ['IEND', Buffer.alloc(0)] as Chunk].map(writeChunk),
  ]);
}

export const blackPixels = (width: number, height: number, bytesPerPixel = 3): Chunk => [
  'IDAT',
  deflateSync(Buffer.alloc((width * bytesPerPixel + 1) * height), { level: 9 }),
];

export const insertChunk = (png: Buffer, chunk: Chunk) =>
  Buffer.concat([png.subarray(0, 33), writeChunk(chunk), png.subarray(33)]);

export function writeChunk([type, data]: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
