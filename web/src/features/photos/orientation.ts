/** What a file of a photo says about turning it, and the file without that. */
export interface Oriented {
  file: Blob;
  /** As in EXIF: 1 is upright. */
  orientation: number;
}

const ascii = (bytes: Uint8Array, at: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

interface Chunk {
  start: number;
  data: number;
  end: number;
}

/** The EXIF chunk of a PNG or WebP. */
const findExif = (bytes: Uint8Array): Chunk | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPng = ascii(bytes, 1, 3) === 'PNG';
  if (!isPng && (ascii(bytes, 0) !== 'RIFF' || ascii(bytes, 8) !== 'WEBP')) return undefined;
  let start = isPng ? 8 : 12;
  while (start + 8 <= bytes.length) {
    const size = view.getUint32(isPng ? start : start + 4, !isPng);
    const end = start + 8 + size + (isPng ? 4 : size % 2);
    if (ascii(bytes, isPng ? start + 4 : start) === (isPng ? 'eXIf' : 'EXIF')) return { start, data: start + 8, end };
    start = end;
  }
  return undefined;
};

const ORIENTATION = 0x0112;

/** Where EXIF data of a TIFF structure have their orientation, and what it is. */
const findOrientation = (exif: Uint8Array): { at: number; value: number; isLittle: boolean } | undefined => {
  const head = ascii(exif, 0) === 'Exif' ? 6 : 0;
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  if (exif.length < head + 8) return undefined;
  const isLittle = ascii(exif, head, 2) === 'II';
  const directory = head + view.getUint32(head + 4, isLittle);
  if (directory + 2 > exif.length) return undefined;
  const count = view.getUint16(directory, isLittle);
  for (let entry = directory + 2; entry + 12 <= exif.length && entry < directory + 2 + 12 * count; entry += 12) {
    if (view.getUint16(entry, isLittle) === ORIENTATION)
      return { at: entry + 8, value: view.getUint16(entry + 8, isLittle), isLittle };
  }
  return undefined;
};

const COULD_HAVE_EXIF = /^(RIFF|.PNG)$/s;

/**
 * Reads the EXIF orientation of a PNG or WebP and takes it out of the file, because browsers differ in whether they
 * follow it. All of them turn a JPEG.
 */
export const takeOrientation = async (file: Blob): Promise<Oriented> => {
  const unturned = { file, orientation: 1 };
  if (!COULD_HAVE_EXIF.test(ascii(new Uint8Array(await file.slice(0, 4).arrayBuffer()), 0))) return unturned;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const chunk = findExif(bytes);
  const found = chunk && findOrientation(bytes.subarray(chunk.data, chunk.end));
  if (!found || found.value < 2 || found.value > 8) return unturned;
  // a PNG has a checksum of each chunk, a WebP the size of all of them
  const isPng = ascii(bytes, 1, 3) === 'PNG';
  if (!isPng) new DataView(bytes.buffer).setUint16(chunk.data + found.at, 1, found.isLittle);
  const parts = isPng ? [bytes.subarray(0, chunk.start), bytes.subarray(chunk.end)] : [bytes];
  return { file: new Blob(parts, { type: file.type }), orientation: found.value };
};

/** The orientations that an image has to be turned by 0, 1, 2 or 3 quarters to the right. */
export const QUARTERS = [1, 6, 3, 8];

type Size = [width: number, height: number];

/** The sizes of an image once it is upright, and once it is turned by so many quarters more. */
export const listSizes = (orientation: number, turns: number, width: number, height: number): [Size, Size] => {
  const upright: Size = orientation >= 5 ? [height, width] : [width, height];
  return [upright, turns % 2 === 1 ? [upright[1], upright[0]] : upright];
};

/** The matrix that turns an image of the size upright. */
export const toMatrix = (orientation: number, width: number, height: number) => {
  const matrices: Record<number, [number, number, number, number, number, number]> = {
    2: [-1, 0, 0, 1, width, 0],
    3: [-1, 0, 0, -1, width, height],
    4: [1, 0, 0, -1, 0, height],
    5: [0, 1, 1, 0, 0, 0],
    6: [0, 1, -1, 0, height, 0],
    7: [0, -1, -1, 0, height, width],
    8: [0, -1, 1, 0, 0, width],
  };
  return matrices[orientation] ?? ([1, 0, 0, 1, 0, 0] as const);
};
