import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makePhoto } from '../../../test/harness/photos.ts';
import { makeLook, processLogo } from './logo.ts';

const svg = (inner: string, attributes = 'width="100" height="50"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`,
  );
const DRAWING =
  '<defs><linearGradient id="g"><stop stop-color="#f00"/></linearGradient></defs><path fill="url(#g)" d="M0 0h50v50z"/>';

describe('a logo', () => {
  test.each([
    ['SVG', (drawing: Buffer) => drawing],
    ['PNG', (drawing: Buffer) => sharp(drawing).resize(1000).png().toBuffer()],
    ['WebP', (drawing: Buffer) => sharp(drawing).resize(1000).webp().toBuffer()],
  ])('as %s becomes a PNG of at most 512 pixels, and stays clear where it was', async (_name, encode) => {
    const png = await processLogo(await encode(svg(DRAWING)));
    const { format, width, height, exif } = await sharp(png).metadata();
    expect({ format, width, height, exif }).toEqual({ format: 'png', width: 512, height: 256 });
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect(data.at(-1)).toBe(0);
  });

  test('as a photograph is turned upright and loses its place', async () => {
    const png = await processLogo(await makePhoto({ width: 800, height: 400, orientation: 6, gps: true }));
    const { width, height, exif } = await sharp(png).metadata();
    expect({ width, height, exif }).toEqual({ width: 512, height: 256 });
  });

  test('becomes every file that shows it', async () => {
    for (const logo of [await processLogo(svg(DRAWING)), null]) {
      const look = await makeLook({ logo, color: '#7a1fa2' });
      const sizes = await Promise.all(
        Object.entries(look).map(async ([name, bytes]) => {
          const { format, width, height } = await sharp(name === 'favicon.ico' ? bytes.subarray(22) : bytes).metadata();
          return [name, format, width, height].join(' ');
        }),
      );
      expect(sizes).toEqual([
        `logo.png png 512 ${logo ? 256 : 512}`,
        'favicon.ico png 48 48',
        'icon-192.png png 192 192',
        'icon-512.png png 512 512',
        'icon-maskable-512.png png 512 512',
        'apple-touch-icon.png png 180 180',
        'og-default.jpg jpeg 1200 600',
      ]);
      const icon = Buffer.from(look['favicon.ico']);
      expect(icon.subarray(0, 8), 'one icon of 48 pixels').toEqual(Buffer.from([0, 0, 1, 0, 1, 0, 48, 48]));
      expect(icon.readUInt32LE(14) + icon.readUInt32LE(18)).toBe(icon.length);
    }
  });
});

const FILE = /^The SVG uses another file/;

test.each([
  ['entities', Buffer.concat([Buffer.from('<!DOCTYPE svg [<!ENTITY a "a">]>'), svg('<text>&a;</text>')]), /DOCTYPE/],
  ['a script', svg('<script>alert(1)</script>'), /script/],
  ['a script of another name', svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), /script/],
  ['a web page', svg('<foreignObject/>'), /web page/],
  ['an image of another site', svg('<image href="https://evil.example/a.png"/>'), FILE],
  ['a part of another file', svg('<use xlink:href = "file:///etc/passwd#a"/>'), FILE],
  ['a colour of another site', svg('<rect fill="url( \'http://evil.example/a#b\')"/>'), FILE],
  ['a style sheet', svg('<style>@import "http://evil.example/a.css"</style>'), FILE],
  ['parts that multiply', svg('<use href="#a"/>'.repeat(21)), /repeats/],
  ['a huge size', svg('', 'width="100000" height="100000"'), /too large/],
  ['a huge view', svg('', 'viewBox="0 0 100000 1"'), /too large/],
  ['a depth without end', svg('<g>'.repeat(50_000) + '</g>'.repeat(50_000)), /damaged/],
  ['no end', svg('<g>'), /damaged/],
  ['bytes that are no text', Buffer.concat([svg(''), Buffer.from([0xff])]), /UTF-8/],
  ['another format', Buffer.from('GIF89a'), /Only PNG, JPEG, WebP and SVG/],
  ['nothing', Buffer.alloc(0), /Only PNG, JPEG, WebP and SVG/],
])('%s is refused with a reason', async (_name, bytes, reason) => {
  await expect(processLogo(bytes)).rejects.toMatchObject({
    code: 'invalid_image',
    message: expect.stringMatching(reason),
  });
});

test('a bomb of pixels is refused before it is decoded', async () => {
  const plain = sharp({ create: { width: 11_000, height: 11_000, channels: 3, background: '#fff' } });
  await expect(processLogo(await plain.png().toBuffer())).rejects.toThrow('too many pixels');
});
