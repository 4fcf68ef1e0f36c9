import { join } from 'node:path';
import { perProcess } from '../../app-context.ts';
import { isInCurrentFormat } from '../../integrations/images/formats.ts';
import { createImageCache } from '../../integrations/storage/image-cache.ts';
import { loadImage } from './files.ts';
import { findImages } from './repository.ts';

const MEGABYTE = 1024 * 1024;

export const getImageCache = perProcess((ctx) =>
  createImageCache({
    directory: join(ctx.config.cacheDir, 'media'),
    diskBytes: ctx.config.cacheDiskMb * MEGABYTE,
    memoryBytes: ctx.config.cacheMemoryMb * MEGABYTE,
    load: (key) => loadImage(ctx, key),
    isCurrent: ({ variant }, bytes) => isInCurrentFormat(variant, bytes),
    findExisting: (sha256s) => findImages(ctx.db, sha256s),
    onDiskError: (err) => ctx.log.warn({ err }, 'the image cache cannot be written'),
  }),
);
