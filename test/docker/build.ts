import { findMissing, IMAGE, VERSION } from './docker.ts';
import { buildImage, provideOthers } from './images.ts';
import { removeLeftovers, takeEngine } from './leftovers.ts';

export const setup = async (): Promise<(() => void) | undefined> => {
  const missing = findMissing();
  if (missing) return void console.log(`SKIPPED: ${missing}`);
  const engine = await takeEngine();
  removeLeftovers();
  const args = ['--build-arg', `VERSION=${VERSION}`, '--build-arg', 'REVISION=check', '.'];
  // KEEP_IMAGE is for work on the checks themselves.
  await Promise.all([provideOthers(), process.env.KEEP_IMAGE ? undefined : buildImage(`${IMAGE}:${VERSION}`, args)]);
  return () => engine.release();
};
