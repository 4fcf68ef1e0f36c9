import type { Config } from '../../config/load.ts';
import type { Db } from '../../db/pools.ts';
import { createDatabaseStore } from './database.ts';
import { createFilesystemStore } from './filesystem.ts';
import { createS3Store } from './s3.ts';
import { type ImageStore, STORE_KINDS, type StoreKind } from './storage.ts';

/**
 * The store in force, then the others that are configured. While images are copied to another store, replicas with the old
 * and the new IMAGE_STORE run side by side, so that each reads from and deletes in all of them.
 */
export function createImageStores(config: Config, db: Db): [ImageStore, ...ImageStore[]] {
  const others = STORE_KINDS.filter((kind) => kind !== config.imageStore && (kind !== 's3' || config.s3Bucket));
  return [createImageStore(config, db), ...others.map((kind) => createImageStore(config, db, kind))];
}

/** The store that IMAGE_STORE names, or another kind of store with the settings of `config`. */
export function createImageStore(config: Config, db: Db, kind: StoreKind = config.imageStore): ImageStore {
  switch (kind) {
    case 'database':
      return createDatabaseStore(db);
    case 'filesystem':
      return createFilesystemStore(config.imageDir);
    case 's3':
      return createS3Store({
        endpoint: config.s3Endpoint ?? '',
        bucket: config.s3Bucket ?? '',
        forcePathStyle: config.s3ForcePathStyle,
        region: config.s3Region,
        accessKeyId: config.s3AccessKeyId ?? '',
        secretAccessKey: config.s3SecretAccessKey ?? '',
      });
    default:
      throw new Error(`unknown image store ${kind satisfies never}`);
  }
}
