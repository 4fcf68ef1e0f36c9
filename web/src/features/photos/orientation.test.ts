import sharp from 'sharp';
import { expect, test } from 'vitest';
import { takeOrientation } from './orientation.ts';

const make = (format: 'png' | 'webp' | 'jpeg', orientation: number) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#f00' } })
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer();

test.each(['png', 'webp'] as const)('a %s is read, and says nothing of turning afterwards', async (format) => {
  for (let orientation = 2; orientation <= 8; orientation++) {
    const taken = await takeOrientation(new Blob([new Uint8Array(await make(format, orientation))]));
    const left = await sharp(Buffer.from(await taken.file.arrayBuffer())).metadata();
    expect([taken.orientation, left.width, left.orientation ?? 1]).toEqual([orientation, 60, 1]);
  }
});

test('what browsers turn themselves, or is no image, stays as it is', async () => {
  const jpeg = await make('jpeg', 6);
  for (const bytes of [jpeg, Buffer.from('RIFF'), Buffer.from('\x89PNG'), Buffer.alloc(0)]) {
    const file = new Blob([new Uint8Array(bytes)]);
    expect(await takeOrientation(file)).toEqual({ file, orientation: 1 });
  }
});
