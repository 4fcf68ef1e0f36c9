import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makePhoto } from './photos.ts';

export interface PhotoHost {
  /** `${url}/${number}.jpg` is a photo; numbers that differ by less than ten are different photos. */
  url: string;
  /** How often a photo was asked for. */
  asked: () => number;
  close: () => Promise<void>;
}

const KINDS = 10;

/** A server of another shop that has photos of what it sells. */
export const startPhotoHost = async (): Promise<PhotoHost> => {
  const photos = await Promise.all(
    Array.from({ length: KINDS }, (_, seed) => makePhoto({ width: 640, height: 480, seed: seed + 1 })),
  );
  let asked = 0;
  const server = createServer((req, res) => {
    const [, number] = /^\/(\d+)\.jpg$/.exec(req.url ?? '') ?? [];
    asked += 1;
    if (number === undefined) res.writeHead(404).end();
    else res.writeHead(200, { 'content-type': 'image/jpeg' }).end(photos[Number(number) % KINDS]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
