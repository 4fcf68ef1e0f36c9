import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createUploadQuota, receiveBody } from './body.ts';

test('one person or address holds at most half of the bytes, and gets them back on release', () => {
  const quota = createUploadQuota(100);
  const first = quota.start(['u1', 'a1']);
  first.add(40);
  expect(() => quota.start(['u1', 'a2']).add(20)).toThrow('busy');
  expect(() => quota.start(['u2', 'a1']).add(20)).toThrow('busy');
  quota.start(['u2', 'a2']).add(50);
  expect(() => quota.start(['u3', 'a3']).add(20)).toThrow('busy');
  first.release();
  first.release();
  quota.start(['u1', 'a1']).add(50);
});

test('a body that arrives too slowly is cut off, a steady one is received', async () => {
  const server = createServer((req, res) => {
    receiveBody(req, 2_000_000, () => {}, 100)
      .then(() => res.end('received'))
      .catch((error) => res.writeHead(500).end(error.code));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send = async (bytesEach: number, count: number) => {
    const req = request({ port, method: 'POST', headers: { 'Content-Length': bytesEach * count } });
    let sent = 0;
    const timer = setInterval(() => {
      req.write(Buffer.alloc(bytesEach));
      if (++sent === count) clearInterval(timer);
    }, 20);
    const [res] = await once(req, 'response');
    clearInterval(timer);
    const text = String(Buffer.concat(await res.toArray()));
    req.destroy();
    return text;
  };
  expect(await send(10_000, 20)).toBe('received');
  expect(await send(1, 1000)).toBe('client_closed_request');
  server.closeAllConnections();
  server.close();
});
