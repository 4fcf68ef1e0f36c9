import sharp from 'sharp';
import { expect, test } from 'vitest';
import { listSizes, QUARTERS, takeOrientation, toMatrix } from './orientation.ts';

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

/** Where the matrices bring the point. */
const move = ([x, y]: [number, number], ...matrices: (readonly number[])[]) =>
  matrices.reduce(
    ([px, py], [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) => [a * px! + c * py! + e, b * px! + d * py! + f],
    [x, y],
  );

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'orientation %i and a turn by quarters fill the canvas: each corner goes on to the right',
  (orientation) => {
    const [width, height] = [60, 40];
    const corners: [number, number][] = [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ];
    const at = (turns: number) => {
      const [upright, turned] = listSizes(orientation, turns, width, height);
      const moved = corners.map((corner) =>
        move(corner, toMatrix(orientation, width, height), toMatrix(QUARTERS[turns]!, ...upright)),
      );
      const [w, h] = turned;
      const order = [
        [0, 0],
        [w, 0],
        [w, h],
        [0, h],
      ].map(String);
      return moved.map((corner) => order.indexOf(String(corner)));
    };
    const start = at(0);
    expect(start.toSorted()).toEqual([0, 1, 2, 3]);
    for (const turns of [1, 2, 3]) expect(at(turns)).toEqual(start.map((corner) => (corner + turns) % 4));
  },
);
