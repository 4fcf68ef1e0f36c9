import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { bucketOf, emptyWindow, sumWindows, timeAt } from './outcomes.ts';
import { openRawConnection } from './raw-connection.ts';
import { fitPerHour } from './samples.ts';

test('times are read back within 5 percent, from all kinds together or from one', () => {
  const window = emptyWindow();
  for (let ms = 1; ms <= 1000; ms++) window.kinds[ms <= 900 ? 'list' : 'write'].times[bucketOf(ms)]!++;
  const all = sumWindows([window]);
  for (const part of [0.5, 0.99]) expect(Math.abs(timeAt(all, part) / (1000 * part) - 1)).toBeLessThan(0.05);
  expect(timeAt(sumWindows([window], ['write']), 0.01)).toBeGreaterThan(900);
  expect(timeAt(sumWindows([]), 0.99)).toBeNaN();
});

test('a line through samples has their growth in an hour', () => {
  const samples = Array.from({ length: 100 }, (_, i) => ({ atMs: i * 10_000 }));
  expect(
    fitPerHour(
      samples,
      samples.map(({ atMs }) => 100 + atMs / 360_000),
    ),
  ).toBeCloseTo(10);
  expect(
    fitPerHour(
      samples,
      samples.map((_, i) => (i % 2 ? 90 : 110)),
    ),
  ).toBeCloseTo(0, -1);
});

const RESPONSES = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\n\r\n',
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
];
/** Sends the next response for each request, in pieces of this many bytes. */
const speak = (pieceLength: number) =>
  createServer((socket) => {
    let next = 0;
    socket
      .on('error', () => {})
      .on('data', async () => {
        const response = RESPONSES[next++]!;
        for (let i = 0; i < response.length; i += pieceLength) {
          socket.write(response.slice(i, i + pieceLength));
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      });
  });
const servers = [1, 7, 1000].map((length) => speak(length).listen(0, '127.0.0.1'));
afterAll(() => {
  for (const server of servers) server.close();
});

test.each([0, 1, 2])('a raw connection reads responses in pieces of any length: %i', async (i) => {
  const closed = Promise.withResolvers<void>();
  const connection = openRawConnection((servers[i]!.address() as AddressInfo).port, '127.0.0.1', closed.resolve);
  const seen: [number, boolean][] = [];
  for (const _ of RESPONSES)
    await new Promise<void>((resolve) =>
      connection.send('GET / HTTP/1.1\r\n\r\n', (status, isLast) => {
        seen.push([status, isLast]);
        resolve();
      }),
    );
  expect(seen).toEqual([
    [200, false],
    [200, false],
    [304, false],
    [503, true],
  ]);
  await closed.promise;
});
