import type { Image } from '../../../contract/ads.ts';
import { toMediaUrl } from '../../../contract/image-variants.ts';

interface StoredImage {
  sha256: string;
  width: number;
  height: number;
  color: string;
}

export const presentImage = ({ sha256, width, height, color }: StoredImage): Image => ({
  url: toMediaUrl(sha256, 'full'),
  thumbUrl: toMediaUrl(sha256, 'thumb'),
  width,
  height,
  color,
});
