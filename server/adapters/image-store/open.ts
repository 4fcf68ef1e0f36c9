import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { openDatabaseStore } from './database.ts';
import { openFilesystemStore } from './filesystem.ts';
import type { ImageStore } from './image-store.ts';
import { openS3Store } from './s3.ts';

/** The store that IMAGE_STORE names. */
export const openImageStore = (config: Config, db: Db): ImageStore => {
  if (config.imageStore === 'filesystem') return openFilesystemStore(config.imageDir);
  if (config.imageStore === 'database') return openDatabaseStore(db);
  return openS3Store({
    endpoint: config.s3Endpoint ?? '',
    bucket: config.s3Bucket ?? '',
    region: config.s3Region,
    accessKeyId: config.s3AccessKeyId ?? '',
    secretAccessKey: config.s3SecretAccessKey ?? '',
  });
};
