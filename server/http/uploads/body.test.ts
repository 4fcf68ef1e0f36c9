import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createUploadQuota, receiveBody, streamBody } from './body.ts';

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

test('a streamed body waits for its reader, and is read to its end when the reader stops', async () => {
  const taken: number[] = [];
  let size = 0;
  const server = createServer(async (req, res) => {
    const target = { limit: 50_000_000, isForm: false, fileTypes: ['text/csv'] };
    for await (const chunk of streamBody(req, target)) {
      size += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
      taken.push(req.socket.bytesRead - size);
      if (taken.length === 2) break;
    }
    res.end(String(req.complete));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const req = request({ port, method: 'POST', headers: { 'Content-Type': 'text/csv', 'Content-Length': 20_000_000 } });
  req.end(Buffer.alloc(20_000_000));
  const [res] = await once(req, 'response');
  expect(String(Buffer.concat(await res.toArray()))).toBe('true');
  // what Node reads ahead of the reader
  expect(Math.max(...taken)).toBeLessThan(500_000);
  server.close();
});

test('a streamed body that pauses, breaks off or is too large fails', async () => {
  const server = createServer(async (req, res) => {
    try {
      for await (const _ of streamBody(req, { limit: 1000, isForm: false, fileTypes: ['text/csv'] }, 100));
      res.end('received');
    } catch (error) {
      res.setHeader('Connection', 'close').end((error as { code: string }).code);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send = async (headers: Record<string, string>, bytes: number, isWhole = true) => {
    const req = request({ port, method: 'POST', headers: { 'Content-Type': 'text/csv', ...headers } });
    req.on('error', () => {});
    req.write(Buffer.alloc(bytes));
    if (isWhole) req.end();
    const [res] = await once(req, 'response');
    const text = String(Buffer.concat(await res.toArray()));
    req.destroy();
    return text;
  };
  expect(await send({}, 1000)).toBe('received');
  expect(await send({}, 1001)).toBe('payload_too_large');
  expect(await send({ 'Content-Length': '1001' }, 1001)).toBe('payload_too_large');
  expect(await send({}, 10, false)).toBe('client_closed_request');
  expect(await send({ 'Content-Type': 'text/plain' }, 10)).toBe('unsupported_media_type');
  expect(await send({ 'Content-Encoding': 'gzip' }, 10)).toBe('unsupported_media_type');
  server.closeAllConnections();
  server.close();
});
