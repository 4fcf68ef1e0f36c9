import type { Trx } from '../../db/pools.ts';

export const VARIANTS = ['full', 'thumb', 'card', 'medium'] as const;
export type Variant = (typeof VARIANTS)[number];
/** `sha256` is 64 hex digits: the name of the full rendition, which its other variants share. */
export type ImageKey = { sha256: string; variant: Variant };

export type ImageBytes = ImageKey & { bytes: Uint8Array };

/** `storedAt` in milliseconds since 1970; 0 where an object cannot be older than its row. */
export type StoredImage = ImageKey & { bytes: number; storedAt: number };

/**
 * Where the bytes of pictures are kept. Names are content hashes, so a put is idempotent and nothing is ever overwritten
 * with other bytes; the `images` table stays the list of what exists. Stores outside the database keep what a rolled-back
 * transaction put there until the collector takes it away.
 */
export interface ImageStore {
  readonly kind: 'database' | 'filesystem' | 's3';
  /** Inside the transaction that names the pictures. */
  put(trx: Trx, images: readonly ImageBytes[]): Promise<void>;
  get(key: ImageKey): Promise<Buffer | undefined>;
  /** All variants of a picture; silent when there is none. */
  delete(sha256: string): Promise<void>;
  /** Every stored object, in no particular order; for verify, collect and migrate. */
  list(): AsyncIterable<StoredImage>;
}

export const toFileName = ({ sha256, variant }: ImageKey) => `${sha256}.${variant}.jpg`;

const FILE_NAME = new RegExp(`^([0-9a-f]{64})\\.(${VARIANTS.join('|')})\\.jpg$`);

/** The key that a file or object name stands for; undefined for foreign files. */
export function parseFileName(name: string): ImageKey | undefined {
  const [, sha256, variant] = FILE_NAME.exec(name) ?? [];
  return sha256 && variant ? { sha256, variant: variant as Variant } : undefined;
}
