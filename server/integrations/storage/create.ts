import type { Config } from '../../config/load.ts';
import type { Db } from '../../db/pools.ts';
import { createDatabaseStore } from './database.ts';
import { createFilesystemStore } from './filesystem.ts';
import { createS3Store } from './s3.ts';
import type { ImageStore } from './storage.ts';

/**
 * The store in force, then the others that are set up. While pictures are moved, replicas with the old IMAGE_STORE and with
 * the new one serve side by side: each looks for a picture, and takes it away, wherever it may be.
 */
export function createImageStores(config: Config, db: Db): [ImageStore, ...ImageStore[]] {
  const kinds: ImageStore['kind'][] = ['database', 'filesystem', ...(config.s3Bucket ? ['s3' as const] : [])];
  const others = kinds.filter((kind) => kind !== config.imageStore);
  return [createImageStore(config, db), ...others.map((kind) => createImageStore(config, db, kind))];
}

/** The store that IMAGE_STORE names, or another one by name (pictures are moved between two). */
export function createImageStore(config: Config, db: Db, kind: ImageStore['kind'] = config.imageStore): ImageStore {
  if (kind === 'database') return createDatabaseStore(db);
  if (kind === 'filesystem') return createFilesystemStore(config.imageDir);
  return createS3Store({
    endpoint: config.s3Endpoint ?? '',
    bucket: config.s3Bucket ?? '',
    forcePathStyle: config.s3ForcePathStyle,
    region: config.s3Region,
    accessKeyId: config.s3AccessKeyId ?? '',
    secretAccessKey: config.s3SecretAccessKey ?? '',
  });
}
