import type { Config } from '../../config/load.ts';
import { STORE_KINDS, type StoreKind } from '../../config/schema.ts';
import type { Db } from '../../db/pools.ts';
import { createDatabaseStore } from './database.ts';
import { createFilesystemStore } from './filesystem.ts';
import { createS3Store } from './s3.ts';
import type { ImageStore } from './storage.ts';

interface StoreSpec {
  /** Whether images may be in it: a store that is not configured is neither searched nor written. */
  isConfigured(images: Config['images']): boolean;
  /** Which settings `marketctl` misses, as a sentence. It reads the configuration without checking those of the stores. */
  findProblem(images: Config['images']): string | undefined;
  create(images: Config['images'], db: Db): ImageStore;
}

const ALWAYS = { isConfigured: () => true, findProblem: () => undefined };

const STORES: Record<StoreKind, StoreSpec> = {
  database: { ...ALWAYS, create: (_, db) => createDatabaseStore(db) },
  filesystem: { ...ALWAYS, create: ({ directory }) => createFilesystemStore(directory) },
  s3: {
    isConfigured: ({ s3 }) => s3 !== undefined,
    findProblem: ({ s3 }) =>
      s3?.endpoint && s3.bucket ? undefined : 'S3_ENDPOINT and S3_BUCKET are required for the s3 store.',
    create: ({ s3 }) => {
      if (!s3) throw new Error('S3_BUCKET is not set');
      return createS3Store(s3);
    },
  },
};

/**
 * The configured stores, that of IMAGE_STORE first. While images are copied to another store, replicas with the old
 * and the new IMAGE_STORE run side by side, so each reads from and deletes in all stores.
 */
export function createImageStores(config: Config, db: Db): [ImageStore, ...ImageStore[]] {
  const { images } = config;
  const others = STORE_KINDS.filter((kind) => kind !== images.store && STORES[kind].isConfigured(images));
  return [createImageStore(config, db), ...others.map((kind) => createImageStore(config, db, kind))];
}

export class StoreNotConfigured extends Error {}

/** Throws StoreNotConfigured. */
export function requireStoreSettings({ images }: Config, kind: StoreKind): void {
  const problem = STORES[kind].findProblem(images);
  if (problem) throw new StoreNotConfigured(problem);
}

/** The store that IMAGE_STORE names, or another kind of store with the settings of `config`. */
export const createImageStore = ({ images }: Config, db: Db, kind: StoreKind = images.store): ImageStore =>
  STORES[kind].create(images, db);
