import { VARIANTS, type Variant } from '../../../contract/image-variants.ts';
import type { StoreKind } from '../../config/schema.ts';

/** `sha256` is 64 hex digits: the hash of the full variant, which names all variants. */
export type ImageKey = { sha256: string; variant: Variant };

export type ImageBytes = ImageKey & { bytes: Uint8Array };

/** `storedAt` in milliseconds since 1970; 0 if an object cannot be older than its row. */
export type StoredImage = ImageKey & { bytes: number; storedAt: number };

/**
 * Stores the bytes of images. Names are content hashes, so a put is idempotent; 'replace' changes the format of a variant. The
 * table `images` lists what exists. Never call a store inside a transaction: it may take seconds.
 */
export interface ImageStore {
  readonly kind: StoreKind;
  put(images: readonly ImageBytes[], existing?: 'keep' | 'replace'): Promise<void>;
  get(key: ImageKey): Promise<Buffer | undefined>;
  /** Deletes all variants of an image, if any. */
  delete(sha256: string): Promise<void>;
  /** Every stored object in order of its name, so that the variants of an image are adjacent. */
  list(): AsyncIterable<StoredImage>;
}

export const toFileName = ({ sha256, variant }: ImageKey) => `${sha256}.${variant}.jpg`;

const FILE_NAME = new RegExp(`^([0-9a-f]{64})\\.(${VARIANTS.join('|')})\\.jpg$`);

export function parseFileName(name: string): ImageKey | undefined {
  const [, sha256, variant] = FILE_NAME.exec(name) ?? [];
  return sha256 && variant ? { sha256, variant: variant as Variant } : undefined;
}
