import { createHash } from 'node:crypto';
import { parse as parseProfile } from 'icc';
import sharp, { type OutputInfo, type Sharp, type SharpOptions } from 'sharp';
import type { TextKey } from '../../../contract/i18n.ts';
import type { UploadVariant } from '../../../contract/image-variants.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ErrorValues } from '../../error-phrases.ts';
import { AppError } from '../../errors.ts';
import { FORMATS, type ImageFormat } from './formats.ts';

export type SentImage = { bytes: Uint8Array; format: ImageFormat };

/** Limits against decompression bombs: a small interlaced 16-bit PNG can take a thousand times its size in memory. */
export const IMAGE_LIMITS = { bytes: LIMITS.photo, pixels: 40_000_000, side: 12_000, decodedBytes: 160_000_000 };
const DECODE_SECONDS = 10;

/** The error for an image that is not accepted: 400 `invalid_image` with the reason. */
export const refuse = (key: TextKey, values?: ErrorValues) => new AppError('invalid_image', { key, values });

export type ProcessedImage = {
  /** Hex SHA-256 of the full variant: its permanent name. */
  sha256: string;
  width: number;
  height: number;
  color: string;
} & Record<UploadVariant, Uint8Array>;

sharp.block({ operation: ['VipsForeignLoad'] });
// SVG is for logos (logo.ts): what is sent as a photo is read only if its first bytes are those of the three others
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.concurrency(1);
sharp.cache(false);

// Browsers show images with warnings, such as a JPEG with junk between its markers.
export const openImage = (bytes: Uint8Array, options: SharpOptions = {}): Sharp =>
  sharp(bytes, { failOn: 'error', limitInputPixels: IMAGE_LIMITS.pixels, ...options }).timeout({
    seconds: DECODE_SECONDS,
  });

const SRGB = /^sRGB( IEC61966-2\.1)?$/;
/** Bytes of a profile: its head, each entry of its tag table, and the largest profile that is parsed. */
const PROFILE = { head: 132, entry: 12, most: 4096 };

/** Identifies sRGB by the profile's name. Chromium adds one to images that it shrinks, as our form does. */
function isSrgb(profile: Buffer | undefined): boolean {
  try {
    return profile !== undefined && isSmallAndWhole(profile) && SRGB.test(parseProfile(profile).description ?? '');
  } catch {
    return false;
  }
}

/** The parser trusts the declared number of entries, which may be 2³². */
const isSmallAndWhole = (profile: Buffer): boolean =>
  profile.length >= PROFILE.head &&
  profile.length <= PROFILE.most &&
  PROFILE.head + PROFILE.entry * profile.readUInt32BE(PROFILE.head - 4) <= profile.length;

interface Colours {
  /** The profile is sRGB: converting it to itself takes longer than all other decoding. */
  ignoreIcc: boolean;
  /** sharp converts 16-bit colours to P3 and leaves them there unless a profile is requested. */
  endsInP3: boolean;
}

export async function readHeader(bytes: Uint8Array, format: ImageFormat): Promise<Colours> {
  if (bytes.length === 0) throw refuse('errors.imageEmpty');
  if (bytes.length > IMAGE_LIMITS.bytes) throw refuse('errors.imageLarger');
  if (!FORMATS[format](bytes)) throw refuse('errors.imageFormat', { format: format.toUpperCase() });
  // the sizes are judged below, each with its reason
  const found = await openImage(bytes, { limitInputPixels: false }).metadata();
  if (found.format !== format) throw refuse('errors.imageFormat', { format: format.toUpperCase() });
  const { width, height, channels } = found;
  if ((found.pages ?? 1) > 1) throw refuse('errors.imageAnimated');
  const depth = found.depth === 'ushort' || found.depth === 'short' ? 2 : found.depth === 'uchar' ? 1 : 4;
  if (Math.max(width, height) > IMAGE_LIMITS.side) throw refuse('errors.imageSide');
  if (width * height > IMAGE_LIMITS.pixels) throw refuse('errors.imagePixels');
  if (channels > 4) throw refuse('errors.imageChannels');
  if (width * height * channels * depth > IMAGE_LIMITS.decodedBytes) throw refuse('errors.imageColours');
  const ignoreIcc = isSrgb(found.icc);
  return { ignoreIcc, endsInP3: found.space === 'rgb16' && found.icc !== undefined && !ignoreIcc };
}

interface Pixels {
  data: Buffer;
  info: OutputInfo;
}

async function decode(bytes: Uint8Array, format: ImageFormat): Promise<Pixels> {
  const { ignoreIcc, endsInP3 } = await readHeader(bytes, format);
  const pixels = openImage(bytes, { ignoreIcc })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize(LIMITS.imageEdge, LIMITS.imageEdge, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const web = endsInP3 ? pixels.withIccProfile('srgb') : pixels;
  return web.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
}

/** As sharp as JPEG of quality 75, and a quarter smaller. A higher effort takes twice the time and saves 4 % (docs/PAGE-SPEED.md). */
const WEBP = { quality: 75, effort: 2 };

const encodeThumb = (image: Sharp): Promise<Buffer> =>
  image
    // looks as sharp as lanczos3, and is faster and smaller
    .resize(LIMITS.thumbEdge, LIMITS.thumbEdge, { fit: 'inside', withoutEnlargement: true, kernel: 'cubic' })
    .webp(WEBP)
    .toBuffer();

/**
 * Re-encodes an untrusted image: upright, sRGB, fitted into a square as JPEG q80, with a WebP thumbnail. Only
 * pixels of the original file remain. Throws invalid_image.
 */
export async function processImage({ bytes, format }: SentImage): Promise<ProcessedImage> {
  try {
    const pixels = await decode(bytes, format);
    const upright = () => sharp(pixels.data, { raw: pixels.info });
    // optimised codes are slow and save little
    const encodeFull = () => upright().jpeg({ quality: 80, optimiseCoding: false });
    const [full, thumb] = await Promise.all([
      encodeFull().toBuffer({ resolveWithObject: true }),
      encodeThumb(upright()),
    ]);
    const { width, height } = full.info;
    const sha256 = createHash('sha256').update(full.data).digest('hex');
    return { sha256, width, height, color: averageColor(pixels), full: full.data, thumb };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse('errors.imageDamaged');
  }
}

/** The average of every 61st pixel: faster than asking sharp for a single pixel. */
function averageColor({ data, info: { channels } }: Pixels): string {
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < data.length; at += 61 * channels) {
    for (let c = 0; c < 3; c++) sums[c]! += data[at + c]!;
    count++;
  }
  return `#${Buffer.from(sums.map((sum) => Math.round(sum / count))).toString('hex')}`;
}

/** The 1200×600 image for link previews: the whole full variant, on a blurred backdrop of itself. */
export async function makeCardImage(full: Uint8Array): Promise<Uint8Array> {
  const motif = await openImage(full).resize(1200, 600, { fit: 'inside' }).toBuffer();
  return openImage(full)
    .resize(1200, 600, { fit: 'cover' })
    .blur(24)
    .modulate({ brightness: 0.8 })
    .composite([{ input: motif, gravity: 'centre' }])
    .jpeg({ quality: 80 })
    .toBuffer();
}

export const makeThumbImage = (full: Uint8Array): Promise<Uint8Array> => encodeThumb(openImage(full));

export const makeMediumImage = (full: Uint8Array): Promise<Uint8Array> =>
  openImage(full).resize({ width: LIMITS.mediumWidth, withoutEnlargement: true }).webp(WEBP).toBuffer();
