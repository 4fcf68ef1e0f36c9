import sharp from 'sharp';
import { PHOTOS, type PhotoKind, readPhoto } from '../../seeds/photos.ts';

type PhotoOptions = {
  kind?: PhotoKind;
  seed?: number;
  /** The displayed size. 4032×3024 are the 12 megapixels of a phone. */
  width?: number;
  height?: number;
  /** EXIF orientation. 6 is a phone in portrait orientation. */
  orientation?: 1 | 3 | 6 | 8;
  /** Writes GPS position, camera and author into the EXIF block. */
  gps?: boolean;
};

/** Rotations that undo an EXIF orientation, in degrees clockwise. */
const STORED_TURN = { 1: 0, 3: 180, 6: 270, 8: 90 } as const;
const PRIVATE_EXIF = {
  IFD0: { Make: 'Tradepost', Model: 'Test Camera 12', Artist: 'Secret Author', Copyright: '<script>alert(1)</script>' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 51/1 2996/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 17/1 4020/100',
  },
};

/** A camera-sized JPEG. Equal options create equal bytes. */
export async function makePhoto(options: PhotoOptions = {}): Promise<Buffer> {
  const { kind = 'furniture', seed = 1, width = 4032, height = 3024, orientation = 1, gps = false } = options;
  const names = PHOTOS[kind];
  const large = await sharp(await readPhoto(names[seed % names.length]!))
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  addSensorNoise(large, seed);
  const turned = await sharp(large, { raw: { width, height, channels: 3 } })
    .rotate(STORED_TURN[orientation])
    .raw()
    .toBuffer({ resolveWithObject: true });
  const exif = gps ? PRIVATE_EXIF : { IFD0: { Make: 'Tradepost' } };
  return sharp(turned.data, { raw: turned.info })
    .withMetadata({ orientation })
    .withExifMerge(exif)
    .jpeg({ quality: 90, chromaSubsampling: '4:2:0' })
    .toBuffer();
}

export const toDataUrl = (bytes: Uint8Array, type = 'jpeg') =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

function addSensorNoise(pixels: Buffer, seed: number) {
  let noise = (seed * 2654435761) | 1;
  for (let i = 0; i < pixels.length; i += 3) {
    noise ^= noise << 13;
    noise ^= noise >>> 17;
    noise ^= noise << 5;
    const luminance = (noise & 15) - 7;
    for (let c = 0; c < 3; c++) pixels[i + c] = Math.max(0, Math.min(255, pixels[i + c]! + luminance));
  }
}
