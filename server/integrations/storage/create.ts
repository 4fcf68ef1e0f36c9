import type { Config } from '../../config/load.ts';
import type { Db } from '../../db/pools.ts';
import { createDatabaseStore } from './database.ts';
import { createFilesystemStore } from './filesystem.ts';
import { createS3Store } from './s3.ts';
import { type ImageStore, STORE_KINDS, type StoreKind } from './storage.ts';

/**
 * The configured stores, that of IMAGE_STORE first. While images are copied to another store, replicas with the old
 * and the new IMAGE_STORE run side by side, so each reads from and deletes in all stores.
 */
export function createImageStores(config: Config, db: Db): [ImageStore, ...ImageStore[]] {
  const { images } = config;
  const others = STORE_KINDS.filter((kind) => kind !== images.store && (kind !== 's3' || images.s3));
  return [createImageStore(config, db), ...others.map((kind) => createImageStore(config, db, kind))];
}

export class StoreNotConfigured extends Error {}

/** Throws StoreNotConfigured. `marketctl` reads the configuration without checking the settings of the stores. */
export function requireStoreSettings({ images }: Config, kind: StoreKind): void {
  if (kind === 's3' && !(images.s3?.endpoint && images.s3.bucket))
    throw new StoreNotConfigured('S3_ENDPOINT and S3_BUCKET are required for the s3 store.');
}

/** The store that IMAGE_STORE names, or another kind of store with the settings of `config`. */
export function createImageStore({ images }: Config, db: Db, kind: StoreKind = images.store): ImageStore {
  switch (kind) {
    case 'database':
      return createDatabaseStore(db);
    case 'filesystem':
      return createFilesystemStore(images.directory);
    case 's3':
      if (!images.s3) throw new Error('S3_BUCKET is not set');
      return createS3Store(images.s3);
    default:
      throw new Error(`unknown image store ${kind satisfies never}`);
  }
}
