import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canHave, dockerMeanwhile, IMAGE, ROOT } from './docker.ts';

const CA = '/etc/ssl/certs/ca-certificates.crt';
const TRIES = 3;
const NETWORK =
  /ETIMEDOUT|ECONNRESET|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|ERR_SOCKET_TIMEOUT|Temporary failure|Could not resolve|Could not connect|Connection (timed out|failed|reset)|Failed to fetch|Hash Sum mismatch|TLS handshake timeout|i\/o timeout|HTTP (429|5\d\d)|\bE(429|5\d\d)\b/;

/** Arguments of `docker build` that let npm through where the network's certificates come from the machine's authority. */
const caSecret = (): string[] => (existsSync(CA) ? ['--secret', `id=ca,src=${CA}`] : []);

/** Builds an image; again when the network was to blame. Throws what the build said. */
export const buildImage = async (tag: string, args: string[]): Promise<void> => {
  for (let tried = 1; ; tried++) {
    try {
      await dockerMeanwhile(['build', '--progress', 'plain', ...caSecret(), '--tag', tag, ...args]);
      return;
    } catch (error) {
      const cause = NETWORK.exec((error as Error).message)?.[0];
      if (!cause || tried === TRIES) throw new Error(`The image ${tag} could not be built`, { cause: error });
      console.log(`Building ${tag} failed at the network (${cause}); trying again.`);
      await sleep(5000 * tried);
    }
  }
};

/** `image` itself where it is or can be pulled, else what test/docker/stand-ins makes of Debian's package. */
export const provideImage = async (image: string): Promise<string> => {
  if (canHave(image)) return image;
  const name = image.replace(/^.*\/|:.*$/g, '');
  const folder = join(ROOT, 'test/docker/stand-ins');
  await buildImage(`${IMAGE}-${name}`, ['--file', join(folder, `${name}.Dockerfile`), folder]);
  return `${IMAGE}-${name}`;
};
