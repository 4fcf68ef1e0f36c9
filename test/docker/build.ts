import { findMissing, IMAGE, VERSION } from './docker.ts';
import { buildImage } from './images.ts';
import { removeLeftovers, takeEngine } from './leftovers.ts';

/** Once per run: the engine for ourselves, without what others left, and the image. */
export const setup = async (): Promise<(() => void) | undefined> => {
  const missing = findMissing();
  if (missing) return void console.log(`SKIPPED: ${missing}`);
  const engine = await takeEngine();
  removeLeftovers();
  // For work on the checks themselves.
  if (!process.env.KEEP_IMAGE)
    await buildImage(`${IMAGE}:${VERSION}`, [
      '--build-arg',
      `VERSION=${VERSION}`,
      '--build-arg',
      'REVISION=check',
      '.',
    ]);
  return () => engine.release();
};
