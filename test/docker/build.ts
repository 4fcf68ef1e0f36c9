import { existsSync } from 'node:fs';
import { dockerMeanwhile, findMissing, IMAGE, VERSION } from './docker.ts';

const CA = '/etc/ssl/certs/ca-certificates.crt';

/** Arguments of `docker build` that let npm through where the network's certificates come from the machine's authority. */
export const caSecret = (): string[] => (existsSync(CA) ? ['--secret', `id=ca,src=${CA}`] : []);

/** Once per run: the image. */
export const setup = async (): Promise<void> => {
  const missing = findMissing();
  if (missing) return console.log(`SKIPPED: ${missing}`);
  // For work on the checks themselves.
  if (process.env.KEEP_IMAGE) return;
  const args = ['--build-arg', `VERSION=${VERSION}`, '--build-arg', 'REVISION=check'];
  await dockerMeanwhile(['build', '--quiet', ...caSecret(), ...args, '--tag', `${IMAGE}:${VERSION}`, '.']);
};
