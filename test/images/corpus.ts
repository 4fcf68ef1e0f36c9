import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { createRandom } from '../../seeds/demo/random.ts';
import { makePhoto, toDataUrl } from '../harness/photos.ts';
import { FOREIGN_FILES } from './foreign-files.ts';
import { blackPixels, insertChunk, writePng } from './png.ts';

/** Strings in the hostile files that must not occur in any stored image. */
export const NEEDLES = [
  '<?php',
  '<script',
  'PK\u0003\u0004',
  'Secret Author',
  'GPSLatitude',
  'GPS',
  'onload=',
  'Photoshop 3.0',
  '<x:xmpmeta',
  'Exif',
];
const NASTY = Buffer.from('<?php system($_GET[0]); ?><script>alert(1)</script>onload=PK\u0003\u0004');

/** `rejected`: must be refused. `clean`: must be re-encoded. `either`: must be refused or re-encoded. */
export type Hostile = { name: string; url: string; expect: 'rejected' | 'clean' | 'either' };
type Type = 'jpeg' | 'png' | 'webp';
const file = (name: string, bytes: Uint8Array, type: Type, expect: Hostile['expect']): Hostile => ({
  name,
  url: toDataUrl(bytes, type),
  expect,
});

export async function makeCorpus(): Promise<Hostile[]> {
  const jpeg = await makePhoto({ width: 640, height: 480, gps: true });
  const plain = sharp(await sharp(jpeg).raw().toBuffer(), { raw: { width: 640, height: 480, channels: 3 } });
  const png = await plain.clone().resize(160).png().toBuffer();
  const webp = await plain.clone().resize(320).webp().toBuffer();
  return [
    ...foreign(),
    ...lyingTypes({ jpeg, png, webp }),
    ...damaged({ jpeg, png, webp }),
    ...bombs(png, jpeg, webp),
    ...profileBombs(await plain.clone().resize(160).jpeg().toBuffer(), png),
    ...polyglots(jpeg, png, webp),
    ...(await animations()),
    ...(await unusualButHonest(jpeg)),
    ...brokenUrls(jpeg),
  ];
}

const foreign = () =>
  Object.entries(FOREIGN_FILES).flatMap(([name, bytes]) =>
    (['jpeg', 'png', 'webp'] as const).map((type) => file(`${name} declared as ${type}`, bytes, type, 'rejected')),
  );

function lyingTypes(files: Record<Type, Buffer>): Hostile[] {
  const types = Object.keys(files) as Type[];
  return types.flatMap((real) =>
    types
      .filter((type) => type !== real)
      .map((type) => file(`a ${real} declared as ${type}`, files[real], type, 'rejected')),
  );
}

function damaged(files: Record<Type, Buffer>): Hostile[] {
  return (Object.entries(files) as [Type, Buffer][]).flatMap(([type, bytes]) => [
    ...[0, 0.001, 0.05, 0.5, 0.9].map((part) =>
      file(`a ${type} cut at ${part}`, bytes.subarray(0, Math.floor(bytes.length * part)), type, 'rejected'),
    ),
    ...[1, 2, 3, 4, 5, 6].map((seed) =>
      file(`a ${type} with flipped bits, seed ${seed}`, flipBits(bytes, seed), type, 'either'),
    ),
    file(
      `a ${type} whose middle is zeros`,
      Buffer.from(bytes).fill(0, bytes.length >> 1, (bytes.length >> 1) + 500),
      type,
      'either',
    ),
    file(`a ${type} twice in one file`, Buffer.concat([bytes, bytes]), type, 'either'),
  ]);
}

function flipBits(bytes: Buffer, seed: number): Buffer {
  const random = createRandom(seed);
  const copy = Buffer.from(bytes);
  for (let i = 0; i < 12; i++) copy[Math.floor(random() * copy.length)]! ^= 1 << Math.floor(random() * 8);
  return copy;
}

function bombs(png: Buffer, jpeg: Buffer, webp: Buffer): Hostile[] {
  const zeros = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  const named = (data: Buffer) => Buffer.concat([Buffer.from('bomb\0\0'), data]);
  const many = Array.from({ length: 16_000 }, () => ['tEXt', Buffer.from('a\0b')] as [string, Buffer]);
  return [
    file(
      'a PNG of 100 megapixels in 97 kB',
      writePng({ width: 10_000, height: 10_000, color: 0 }, [blackPixels(10_000, 10_000, 1)]),
      'png',
      'rejected',
    ),
    file(
      'a PNG that claims 60000×60000',
      writePng({ width: 60_000, height: 60_000 }, [blackPixels(10, 10)]),
      'png',
      'rejected',
    ),
    file(
      'a PNG that claims 2³¹ × 2³¹',
      writePng({ width: 0x7fffffff, height: 0x7fffffff }, [blackPixels(10, 10)]),
      'png',
      'rejected',
    ),
    file('a PNG of no width', writePng({ width: 0, height: 10 }, [blackPixels(1, 10)]), 'png', 'rejected'),
    file('a PNG of 1×65500', writePng({ width: 1, height: 65_500 }, [blackPixels(1, 65_500)]), 'png', 'rejected'),
    file('a PNG of 65500×1', writePng({ width: 65_500, height: 1 }, [blackPixels(65_500, 1)]), 'png', 'rejected'),
    file(
      'an interlaced 16-bit PNG of 39.7 megapixels',
      writePng({ width: 6300, height: 6300, depth: 16, interlace: 1 }, [blackPixels(6300, 100, 6)]),
      'png',
      'rejected',
    ),
    file(
      'an interlaced 16-bit PNG of 25 megapixels',
      writePng({ width: 5000, height: 5000, depth: 16, interlace: 1 }, [blackPixels(5000, 5040, 6)]),
      'png',
      'either',
    ),
    file(
      'a PNG with less data than it claims',
      writePng({ width: 500, height: 500 }, [blackPixels(500, 20)]),
      'png',
      'rejected',
    ),
    file('a PNG with a compressed text of 64 MB', insertChunk(png, ['zTXt', named(zeros)]), 'png', 'either'),
    file('a PNG with a colour profile of 64 MB', insertChunk(png, ['iCCP', named(zeros)]), 'png', 'either'),
    file(
      'a PNG of 16,000 chunks',
      writePng({ width: 10, height: 10 }, [...many, blackPixels(10, 10)]),
      'png',
      'either',
    ),
    file('a JPEG that claims 65500×65500', resizeJpegHeader(jpeg, 65_500, 65_500), 'jpeg', 'rejected'),
    file('a JPEG that claims 65500×1', resizeJpegHeader(jpeg, 65_500, 1), 'jpeg', 'rejected'),
    // browsers show it, mostly grey
    file('a JPEG that claims 5000×5000', resizeJpegHeader(jpeg, 5000, 5000), 'jpeg', 'clean'),
    file('a JPEG of no size', resizeJpegHeader(jpeg, 0, 0), 'jpeg', 'rejected'),
    file('a WebP that claims 16383×16383', resizeWebpHeader(webp, 16_383, 16_383), 'webp', 'rejected'),
    file(
      'a JPEG of 20 MB and a byte',
      Buffer.concat([jpeg, Buffer.alloc(20 * 1024 * 1024 + 1 - jpeg.length)]),
      'jpeg',
      'rejected',
    ),
  ];
}

function resizeJpegHeader(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

function resizeWebpHeader(webp: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(webp);
  copy.writeUInt16LE(width, 26);
  copy.writeUInt16LE(height, 28);
  return copy;
}

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};
const insertSegment = (jpeg: Buffer, marker: number, data: Buffer) =>
  Buffer.concat([jpeg.subarray(0, 2), segment(marker, data), jpeg.subarray(2)]);

/** The header of a color profile that claims to have this number of tags. */
function makeProfile(size: number, parts: number): Buffer {
  const profile = Buffer.alloc(size, 'x');
  profile.writeUInt32BE(size, 0);
  profile.write('acsp', 36, 'latin1');
  profile.writeUInt32BE(parts, 128);
  return profile;
}

/** A color profile whose tags are all descriptions that share its second half. */
function makeWordyProfile(size: number): Buffer {
  const half = size / 2;
  const profile = makeProfile(size, Math.floor((half - 132) / 12));
  for (let at = 132; at + 12 <= half; at += 12) {
    profile.write('desc', at, 'latin1');
    profile.writeUInt32BE(half, at + 4);
    profile.writeUInt32BE(half, at + 8);
  }
  profile.write('desc', half, 'latin1');
  profile.writeUInt32BE(half - 12, half + 8);
  return profile;
}

function profileBombs(jpeg: Buffer, png: Buffer): Hostile[] {
  const endless = Buffer.concat([Buffer.from('ICC_PROFILE\0\u0001\u0001'), makeProfile(132, 0xffffffff)]);
  const wordy = Buffer.concat([Buffer.from('icc\0\0'), deflateSync(makeWordyProfile(2_000_000))]);
  return [
    file('a JPEG whose colour profile has 2³² parts', insertSegment(jpeg, 0xe2, endless), 'jpeg', 'clean'),
    file('a PNG whose colour profile has 83,000 names', insertChunk(png, ['iCCP', wordy]), 'png', 'clean'),
  ];
}

function polyglots(jpeg: Buffer, png: Buffer, webp: Buffer): Hostile[] {
  const zip = Buffer.concat([
    Buffer.from('PK\u0003\u0004'),
    deflateRawSync(NASTY),
    Buffer.from('PK\u0005\u0006'),
    Buffer.alloc(18),
  ]);
  const xmp = Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">${NASTY}</x:xmpmeta>`);
  return [
    file('a JPEG with a ZIP behind it', Buffer.concat([jpeg, zip]), 'jpeg', 'clean'),
    file('a JPEG with a script behind it', Buffer.concat([jpeg, NASTY]), 'jpeg', 'clean'),
    file('a JPEG with PHP in a comment', insertSegment(jpeg, 0xfe, NASTY), 'jpeg', 'clean'),
    file('a JPEG with script in XMP', insertSegment(jpeg, 0xe1, xmp), 'jpeg', 'clean'),
    file(
      'a JPEG with script in IPTC',
      insertSegment(jpeg, 0xed, Buffer.concat([Buffer.from('Photoshop 3.0\u00008BIM'), NASTY])),
      'jpeg',
      'either',
    ),
    file(
      'a JPEG with a false colour profile',
      insertSegment(jpeg, 0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\u0001\u0001'), NASTY])),
      'jpeg',
      'either',
    ),
    file(
      'a JPEG whose EXIF is noise',
      insertSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0*'), NASTY])),
      'jpeg',
      'either',
    ),
    file('a JPEG with GPS, author and script in EXIF', jpeg, 'jpeg', 'clean'),
    file('a JPEG with 60 kB of comment', insertSegment(jpeg, 0xfe, Buffer.alloc(60_000, NASTY)), 'jpeg', 'clean'),
    file('a PNG with a ZIP behind it', Buffer.concat([png, zip]), 'png', 'either'),
    file(
      'a PNG with script in its text',
      insertChunk(png, ['tEXt', Buffer.concat([Buffer.from('Comment\0'), NASTY])]),
      'png',
      'clean',
    ),
    file(
      'a PNG with PHP in EXIF',
      insertChunk(png, ['eXIf', Buffer.concat([Buffer.from('MM\0*'), NASTY])]),
      'png',
      'either',
    ),
    file('a PNG with a chunk of its own', insertChunk(png, ['evIl', NASTY]), 'png', 'clean'),
    file('a WebP with a script behind it', Buffer.concat([webp, NASTY]), 'webp', 'either'),
    file('a GIF that goes on as a JPEG', Buffer.concat([Buffer.from('GIF89a'), jpeg]), 'jpeg', 'rejected'),
    file('a PDF that goes on as a JPEG', Buffer.concat([Buffer.from('%PDF-1.7\n'), jpeg]), 'jpeg', 'rejected'),
  ];
}

async function animations(): Promise<Hostile[]> {
  const frames = Buffer.alloc(16 * 16 * 3 * 50);
  for (let i = 0; i < frames.length; i++) frames[i] = (i * 7) % 251;
  const animated = await sharp(frames, { raw: { width: 16, height: 16 * 50, channels: 3, pageHeight: 16 } })
    .webp()
    .toBuffer();
  const control = Buffer.alloc(8);
  control.writeUInt32BE(10_000);
  const apng = insertChunk(writePng({ width: 10, height: 10 }, [blackPixels(10, 10)]), ['acTL', control]);
  return [
    file('an animated WebP of 50 frames', animated, 'webp', 'rejected'),
    file('an animated PNG of 10,000 frames', apng, 'png', 'either'),
  ];
}

async function unusualButHonest(jpeg: Buffer): Promise<Hostile[]> {
  const image = () => sharp(jpeg).resize(300, 200);
  const turned = [2, 3, 4, 5, 6, 7, 8].map(async (orientation) =>
    file(
      `a JPEG of orientation ${orientation}`,
      await image().withMetadata({ orientation }).jpeg().toBuffer(),
      'jpeg',
      'clean',
    ),
  );
  const made: [string, Promise<Buffer>, Type][] = [
    ['a progressive JPEG', image().jpeg({ progressive: true }).toBuffer(), 'jpeg'],
    ['a grey JPEG', image().greyscale().jpeg().toBuffer(), 'jpeg'],
    ['a CMYK JPEG', image().toColourspace('cmyk').jpeg().toBuffer(), 'jpeg'],
    ['a JPEG in Display P3', image().withIccProfile('p3').jpeg().toBuffer(), 'jpeg'],
    ['a JPEG of one pixel', image().resize(1, 1).jpeg().toBuffer(), 'jpeg'],
    ['a 16-bit PNG', image().toColourspace('rgb16').png().toBuffer(), 'png'],
    ['an interlaced PNG', image().png({ progressive: true }).toBuffer(), 'png'],
    ['a transparent PNG', image().ensureAlpha(0.5).png().toBuffer(), 'png'],
    ['a PNG with a palette', image().png({ palette: true }).toBuffer(), 'png'],
    ['a grey PNG with alpha', image().greyscale().ensureAlpha(0.2).png().toBuffer(), 'png'],
    ['a lossless WebP', image().webp({ lossless: true }).toBuffer(), 'webp'],
    ['a transparent WebP', image().ensureAlpha(0.5).webp().toBuffer(), 'webp'],
  ];
  return Promise.all([...turned, ...made.map(async ([name, bytes, type]) => file(name, await bytes, type, 'clean'))]);
}

function brokenUrls(jpeg: Buffer): Hostile[] {
  const base64 = jpeg.toString('base64');
  const urls = {
    'an empty data URL': 'data:',
    'a data URL without a type': `data:;base64,${base64}`,
    'a data URL without base64': `data:image/jpeg,${encodeURIComponent(base64.slice(0, 100))}`,
    'a data URL of HTML': `data:text/html;base64,${NASTY.toString('base64')}`,
    'a data URL of SVG': `data:image/svg+xml;base64,${Buffer.from('<svg onload=alert(1)>').toString('base64')}`,
    'a data URL with a foreign parameter': `data:image/jpeg;charset=utf-7;base64,${base64}`,
    'base64 with a space': `data:image/jpeg;base64,${base64.slice(0, 50)} ${base64.slice(50)}`,
    'base64 with line breaks': `data:image/jpeg;base64,${base64.replace(/.{76}/g, '$&\n')}`,
    'base64 in the URL alphabet': `data:image/jpeg;base64,${base64.replaceAll('+', '-').replaceAll('/', '_')}`,
    'base64 without its padding': `data:image/jpeg;base64,${Buffer.concat([jpeg, Buffer.alloc(4 - (jpeg.length % 3))])
      .toString('base64')
      .replaceAll('=', '')}`,
    'base64 with a NUL': `data:image/jpeg;base64,${base64.slice(0, 40)}\0${base64.slice(41)}`,
    'base64 of nothing': 'data:image/jpeg;base64,',
    'gzip instead of an image': `data:image/png;base64,${gzipSync(jpeg).toString('base64')}`,
    'white space before the URL': ` data:image/jpeg;base64,${base64}`,
  };
  return Object.entries(urls).map(([name, url]) => ({ name, url, expect: 'rejected' }));
}
