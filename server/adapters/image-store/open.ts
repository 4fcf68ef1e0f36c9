import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { openDatabaseStore } from './database.ts';
import { openFilesystemStore } from './filesystem.ts';
import type { ImageStore } from './image-store.ts';
import { openS3Store } from './s3.ts';

/** The store that IMAGE_STORE names, or another one by name (pictures are moved between two). */
export function openImageStore(config: Config, db: Db, kind: ImageStore['kind'] = config.imageStore): ImageStore {
  if (kind === 'database') return openDatabaseStore(db);
  if (kind === 'filesystem') return openFilesystemStore(config.imageDir);
  return openS3Store({
    endpoint: config.s3Endpoint ?? '',
    bucket: config.s3Bucket ?? '',
    forcePathStyle: config.s3ForcePathStyle,
    region: config.s3Region,
    accessKeyId: config.s3AccessKeyId ?? '',
    secretAccessKey: config.s3SecretAccessKey ?? '',
  });
}
