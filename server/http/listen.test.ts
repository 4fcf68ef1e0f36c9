import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listen, listenWithMany } from './listen.ts';

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const CONNECTIONS = 160;

/** Turns of the event loop in which a server takes 160 connections that are there already. */
async function countTurns(listeners: number): Promise<number> {
  const server = createServer().on('connection', (socket) => socket.unref());
  server.maxConnections = 10 * CONNECTIONS;
  const { address, close } = await listenWithMany(server, ANY_PORT, listeners);
  let taken = 0;
  let turns = 0;
  server.on('connection', () => taken++);
  const clients = Array.from({ length: CONNECTIONS }, () => connect(address.port, address.address));
  await new Promise<void>((resolve) => {
    const turn = () => {
      if (taken > 0) turns++;
      if (taken === CONNECTIONS) resolve();
      else setImmediate(turn);
    };
    turn();
  });
  for (const client of clients) client.destroy();
  await close();
  return turns;
}

test('in a turn of the event loop, each listener takes a connection', async () => {
  const [one, sixteen] = [await countTurns(1), await countTurns(16)];
  expect(one).toBeGreaterThanOrEqual(CONNECTIONS);
  expect(sixteen).toBeLessThan(one / 3);
});

test('requests over every listener are answered, and closing waits for the last', async () => {
  const held = Promise.withResolvers<void>();
  const server = createServer((_, res) => void held.promise.then(() => res.end('ok')));
  server.maxConnections = 1000;
  const { address, close } = await listenWithMany(server, ANY_PORT);
  const requests = Array.from({ length: 64 }, () =>
    fetch(`http://127.0.0.1:${address.port}/`, { headers: { connection: 'close' } }).then((response) =>
      response.text(),
    ),
  );
  await sleep(100);
  let isClosed = false;
  const closing = close().then(() => {
    isClosed = true;
  });
  await sleep(50);
  expect(isClosed).toBe(false);
  held.resolve();
  expect(new Set(await Promise.all(requests))).toEqual(new Set(['ok']));
  await closing;
});

test('a port that another server has is refused, whether that one shares it or not', async () => {
  const alone = createTcpServer();
  const { port } = await listen(alone, ANY_PORT);
  await expect(listenWithMany(createServer(), { ...ANY_PORT, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  alone.close();

  const { address, close } = await listenWithMany(createServer(), ANY_PORT);
  const { port: shared } = address satisfies AddressInfo;
  await expect(listenWithMany(createServer(), { ...ANY_PORT, port: shared })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await close();
});
