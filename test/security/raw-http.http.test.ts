import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openTestApp } from '../harness/app.ts';

const { url, anonymous } = await openTestApp();
const { host, port } = new URL(url);

/** Sends raw bytes and reads until the server closes the connection or the response contains `until`. */
async function speak(bytes: string | Buffer, until = '\0'): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  let text = '';
  const enough = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (text.includes(until)) enough.resolve();
  });
  socket.write(bytes);
  await Promise.race([once(socket, 'close'), enough.promise]);
  socket.destroy();
  return text;
}

const HEAD = `Host: ${host}\r\nContent-Type: application/json\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

test.each([
  ['two lengths', `POST /api/auth/admin HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`],
  ['a length and chunks', `POST /api/auth/admin HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n${CHUNKED}\r\n0\r\n\r\n`],
  ['an unknown coding', `POST /api/auth/admin HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`],
  ['a header with NUL', `GET /api/ads HTTP/1.1\r\nHost: ${host}\r\nX: a\0b\r\n\r\n`],
  ['a folded header', `GET /api/ads HTTP/1.1\r\nHost: ${host}\r\nX: a\r\n b\r\n\r\n`],
  ['a blank before the colon', `GET /api/ads HTTP/1.1\r\nHost : ${host}\r\n\r\n`],
  ['a negative length', `POST /api/auth/admin HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\n`],
  ['an unknown method', `HACK /api/ads HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['no HTTP at all', 'hello there\r\n\r\n'],
])('%s is 400, as JSON with the security headers, and the connection ends', async (_name, bytes) => {
  const text = await speak(bytes);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toMatch(/\r\nConnection: close\r\n/);
  expect(text).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/);
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ code: 'validation_failed' });
});

test('headers above 16 KiB are 431', async () => {
  expect(await speak(`GET /api/ads HTTP/1.1\r\nHost: ${host}\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 /,
  );
});

test.each([
  ['no host', ''],
  ['another host', 'Host: evil.test\r\n'],
  ['a host with credentials', `Host: user@${host}\r\n`],
  ['our host as a prefix', `Host: ${host}.evil.test\r\n`],
  ['our host claimed by a proxy', `Host: evil.test\r\nX-Forwarded-Host: ${host}\r\n`],
])('%s is refused', async (_name, header) => {
  expect(await speak(`GET /api/ads HTTP/1.1\r\n${header}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4(00|21) /);
});

test('an absolute address of another site is served as ours or not at all', async () => {
  const text = await speak(
    `GET http://evil.test/api/auth/twitter HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  expect(text).not.toMatch(/location: [^\r]*evil\.test/i);
});

test('headers named like properties of Object.prototype do no harm', async () => {
  await speak(`GET /api/ads HTTP/1.1\r\nHost: ${host}\r\n__proto__: x\r\nconstructor: y\r\nConnection: close\r\n\r\n`);
  expect((await anonymous.send('/healthz')).status).toBe(200);
});

test('a line break in a path or query reaches no header', async () => {
  const answer = await anonymous.send('/api/auth/twitter?returnTo=/a%0d%0aSet-Cookie:%20x=1');
  expect(answer.headers.getSetCookie().join()).not.toContain('x=1');
});
