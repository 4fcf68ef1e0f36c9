import sharp, { type Sharp } from 'sharp';
import type { TextKey } from '../../../contract/i18n.ts';
import { AppError } from '../../errors.ts';
import { openImage, readHeader, refuse } from './codec.ts';
import { sniffFormat } from './formats.ts';
import { LOOK_FILES, type Look, type LookInput } from './logo-files.ts';

const LOGO_EDGE = 512;
const MAX_SVG_SIDE = 12_000;

/** What an SVG may not contain: entities, scripts, documents of other kinds, and what multiplies its parts. */
const FORBIDDEN: readonly [pattern: RegExp, most: number, reason: TextKey][] = [
  [/<!(DOCTYPE|ENTITY)/gi, 0, 'errors.svgDoctype'],
  [/<([\w-]{1,30}:)?(script|foreignObject)\b/gi, 0, 'errors.svgScript'],
  // six uses of each other draw a shape nine times at most
  [/<([\w-]{1,30}:)?use\b/gi, 6, 'errors.svgRepeats'],
  [/<([\w-]{1,30}:)?(pattern|mask|marker|filter)\b/gi, 40, 'errors.svgEffects'],
];
const FROM_OUTSIDE = 'errors.svgOutside';

/** Whether all that this pattern finds is followed by an address in the same file. */
const staysInside = (text: string, pattern: RegExp): boolean =>
  [...text.matchAll(pattern)].every(({ index, 0: found }) => {
    const start = index + found.length;
    return /^\s{0,20}["']?\s{0,20}#/.test(text.slice(start, start + 50));
  });

function checkSvg(bytes: Uint8Array): void {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('errors.svgText');
  }
  for (const [pattern, most, reason] of FORBIDDEN) if ((text.match(pattern)?.length ?? 0) > most) throw refuse(reason);
  const isAlone = !/<\?xml-stylesheet|@import|<([\w-]{1,30}:)?(image|feImage)\b/i.test(text);
  if (!isAlone || !staysInside(text, /\b(href|src)\s*=/gi) || !staysInside(text, /url\(/gi)) throw refuse(FROM_OUTSIDE);
}

const looksLikeSvg = (bytes: Uint8Array): boolean =>
  /<([\w-]{1,30}:)?svg[\s>]/i.test(Buffer.from(bytes).toString('latin1'));

async function openSvg(bytes: Uint8Array): Promise<Sharp> {
  checkSvg(bytes);
  const { format, width, height } = await openImage(bytes, { limitInputPixels: false }).metadata();
  if (format !== 'svg') throw refuse('errors.svgFormat');
  const side = Math.max(width, height);
  if (side > MAX_SVG_SIDE || Math.min(width, height) < 1) throw refuse('errors.svgSize');
  // 72 draws one pixel for each unit
  return openImage(bytes, { density: Math.min(2400, Math.max(1, (72 * LOGO_EDGE) / side)) });
}

async function openLogo(bytes: Uint8Array): Promise<Sharp> {
  const format = sniffFormat(bytes);
  if (format) {
    const { ignoreIcc } = await readHeader(bytes, format);
    return openImage(bytes, { ignoreIcc }).autoOrient();
  }
  if (looksLikeSvg(bytes)) return openSvg(bytes);
  throw refuse('errors.logoFormats');
}

/** Draws an untrusted logo as a PNG of at most 512 pixels. Nothing of the file but its pixels remains. Throws invalid_image. */
export async function processLogo(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const logo = await openLogo(bytes);
    const drawn = logo.resize(LOGO_EDGE, LOGO_EDGE, { fit: 'inside', withoutEnlargement: true });
    return await drawn.toColourspace('srgb').png({ compressionLevel: 9 }).toBuffer();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse('errors.imageDamaged');
  }
}

const drawMark = (color: string, corner: number): Uint8Array =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 32 32"><rect width="32" height="32" rx="${corner}" fill="${color}"/><path d="M8 10.4A2.4 2.4 0 0 1 10.4 8h5.5c.64 0 1.25.25 1.7.7l6.7 6.7a2.4 2.4 0 0 1 0 3.4l-5.5 5.5a2.4 2.4 0 0 1-3.4 0l-6.7-6.7a2.4 2.4 0 0 1-.7-1.7Z" fill="#fcfcfc"/><circle cx="12.4" cy="12.4" r="1.9" fill="${color}"/><path d="m13.6 17.9 2.3 2.3 4.3-4.7" fill="none" stroke="${color}" stroke-width="2.1" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  );

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const WHITE = '#ffffff';

const fitInto = (image: Uint8Array, edge: number): Promise<Buffer> =>
  openImage(image).resize(edge, edge, { fit: 'contain', background: CLEAR }).png().toBuffer();

/** Search engines want a multiple of 48 pixels. */
const FAVICON_EDGE = 48;

/** An icon file with one image. Whatever asks for /favicon.ico reads a PNG in it. */
export const toIco = (png: Uint8Array, edge: number): Buffer => {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(edge, 6);
  header.writeUInt8(edge, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
};

/** The motif in the middle of a plain image. */
const place = async (
  motif: Uint8Array,
  { width, height = width, share, background }: { width: number; height?: number; share: number; background: string },
): Promise<Sharp> => {
  const input = await fitInto(motif, Math.round(height * share));
  return sharp({ create: { width, height, channels: 3, background } }).composite([{ input, gravity: 'centre' }]);
};

export async function makeLook({ logo, color }: LookInput): Promise<Look> {
  const motif = logo ?? drawMark(color, 9);
  const whole = logo
    ? { motif: logo, share: 0.8, background: WHITE }
    : { motif: drawMark(color, 0), share: 1, background: color };
  // a launcher may cut a maskable icon to the circle of 80 % of its width
  const safe = logo
    ? { motif: logo, share: 0.56, background: WHITE }
    : { motif: drawMark(color, 0), share: 0.8, background: color };
  const card = await place(motif, { width: 1200, height: 600, share: 0.5, background: WHITE });
  const images = await Promise.all([
    logo ?? fitInto(motif, LOGO_EDGE),
    fitInto(motif, FAVICON_EDGE).then((png) => toIco(png, FAVICON_EDGE)),
    fitInto(motif, 192),
    fitInto(motif, 512),
    place(safe.motif, { ...safe, width: 512 }).then((image) => image.png().toBuffer()),
    place(whole.motif, { ...whole, width: 180 }).then((image) => image.png().toBuffer()),
    card.jpeg({ quality: 85 }).toBuffer(),
  ]);
  return Object.fromEntries(LOOK_FILES.map((file, index) => [file, images[index]])) as Look;
}
