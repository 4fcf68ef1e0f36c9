import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canHave, dockerMeanwhile, IMAGE, ROOT } from './docker.ts';

const CA = '/etc/ssl/certs/ca-certificates.crt';
const TRIES = 3;
const NETWORK =
  /ETIMEDOUT|ECONNRESET|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|ERR_SOCKET_TIMEOUT|Temporary failure|Could not resolve|Could not connect|Connection (timed out|failed|reset)|Failed to fetch|Hash Sum mismatch|TLS handshake timeout|i\/o timeout|HTTP (429|5\d\d)|\bE(429|5\d\d)\b/;

/** What BUILD_CA_FILE must be on networks that need the machine's own certificate authority. */
export const caFile = (): string => (existsSync(CA) ? CA : '/dev/null');

/** The same as arguments of `docker build`. */
const caSecret = (): string[] => ['--secret', `id=ca,src=${caFile()}`];

/** Builds an image and retries after network errors. On failure throws the output of the build. */
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

/** Builds the replacement image test/docker/stand-ins/NAME.Dockerfile from Debian's packages. */
const buildStandIn = async (name: string): Promise<string> => {
  const folder = join(ROOT, 'test/docker/stand-ins');
  await buildImage(`${IMAGE}-${name}`, ['--file', join(folder, `${name}.Dockerfile`), folder]);
  return `${IMAGE}-${name}`;
};

const provideImage = async (image: string): Promise<string> =>
  canHave(image) ? image : buildStandIn(image.replace(/^.*\/|:.*$/g, ''));

export const provideOthers = async (): Promise<Record<string, string>> => {
  const [caddy = '', prometheus = '', swift = ''] = await Promise.all([
    provideImage('caddy:2'),
    provideImage('prom/prometheus:v3.1.0'),
    buildStandIn('swift'),
  ]);
  return { CADDY_IMAGE: caddy, PROMETHEUS_IMAGE: prometheus, SWIFT_IMAGE: swift };
};
