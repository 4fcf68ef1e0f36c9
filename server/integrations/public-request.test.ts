import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isPublicAddress, postToPublicHost } from './public-request.ts';

/** Addresses of the names that a test makes up. */
const resolve = vi.fn<(host: string) => string[] | undefined>();

vi.mock('node:dns/promises', () => ({
  Resolver: class {
    resolve4(host: string): Promise<string[]> {
      return this.#find(host, 4);
    }
    resolve6(host: string): Promise<string[]> {
      return this.#find(host, 6);
    }
    async #find(host: string, family: number): Promise<string[]> {
      const found = resolve(host)?.filter((address) => isIP(address) === family) ?? [];
      if (found.length === 0) throw Object.assign(new Error(`queryA ${host}`), { code: 'ENOTFOUND' });
      return found;
    }
  },
}));

test.each([
  '127.0.0.1',
  '127.8.9.1',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fc00::1',
  'fdff::1',
  'fd00:ec2::254',
  '64:ff9b:1::a9fe:a9fe',
  '::ffff:0:169.254.169.254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:6440:1',
  '::10.0.0.1',
  '64:ff9b::10.0.0.1',
  '2002:a00:1::1',
  '2001::1',
  '2001:db8::1',
  '100::1',
])('%s is not on the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1', '2a00:1450:4001::1', '::ffff:8.8.8.8'])(
  '%s is on the public internet',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

describe('a request', () => {
  let server: Server;
  let port: number;
  let requests: string[];
  let respond: (req: string) => { status: number; headers?: Record<string, string>; endless?: boolean } | undefined;

  beforeEach(async () => {
    requests = [];
    respond = () => ({ status: 201 });
    server = createServer((req, res) => {
      requests.push(`${req.method} ${req.url}`);
      const response = respond(req.url ?? '');
      if (!response) return;
      res.writeHead(response.status, response.headers);
      if (!response.endless) return res.end();
      const write = () => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
      };
      res.on('drain', write);
      write();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    resolve.mockReset();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const post = (url: string, allowsLoopback = true, timeoutMs = 5000) =>
    postToPublicHost({ url, headers: {}, body: Buffer.from('hello'), timeoutMs, allowsLoopback });

  test('reaches this machine in development only', async () => {
    expect(await post(`http://127.0.0.1:${port}/a`)).toEqual({ status: 201 });
    for (const host of ['127.0.0.1', 'localhost', 'db.localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
      for (const scheme of ['http', 'https'])
        await expect(post(`${scheme}://${host}:${port}/b`, false)).rejects.toMatchObject({ failure: 'forbidden' });
    expect(requests).toEqual(['POST /a']);
  });

  test('does not reach a private network, in development either', async () => {
    await expect(post('https://10.0.0.1/')).rejects.toMatchObject({ failure: 'forbidden' });
  });

  test('does not follow a redirect', async () => {
    respond = (path) => (path === '/a' ? { status: 307, headers: { Location: '/b' } } : { status: 201 });
    expect(await post(`http://127.0.0.1:${port}/a`)).toEqual({ status: 307 });
    expect(requests).toEqual(['POST /a']);
  });

  test('does not read an endless body', async () => {
    respond = () => ({ status: 200, endless: true });
    expect(await post(`http://127.0.0.1:${port}/a`)).toEqual({ status: 200 });
    await vi.waitFor(async () => {
      const connections = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
      expect(connections).toBe(0);
    });
  });

  test('that gets no response is lost; one without a connection was not sent', async () => {
    respond = () => undefined;
    await expect(post(`http://127.0.0.1:${port}/a`, true, 200)).rejects.toMatchObject({
      failure: 'lost',
      message: '127.0.0.1: no response in time',
    });
    await expect(post('https://unknown.example/')).rejects.toMatchObject({ failure: 'unsent' });
    await expect(post('HTTPS://UNKNOWN.example/', false)).rejects.toMatchObject({
      failure: 'unsent',
      message: 'unknown.example: ENOTFOUND',
    });
    await expect(post('https://127.0.0.1:1/')).rejects.toMatchObject({ failure: 'unsent' });
    await expect(post(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'unsent' });
  });

  test('resolves a name once, and refuses it if any of its addresses is private', async () => {
    resolve.mockReturnValueOnce(['127.0.0.1']).mockReturnValueOnce([]).mockReturnValue(['10.0.0.1']);
    expect(await post(`http://rebinding.example:${port}/a`)).toEqual({ status: 201 });
    // once for each family
    expect(resolve.mock.calls).toEqual([['rebinding.example'], ['rebinding.example']]);
    for (const addresses of [['8.8.8.8', '10.0.0.1'], ['8.8.8.8', 'fd00::1'], ['::ffff:10.0.0.1'], ['127.0.0.1']]) {
      resolve.mockReturnValue(addresses);
      const failure = post(`https://rebinding.example:${port}/b`, false);
      await expect(failure).rejects.toMatchObject({ failure: 'forbidden' });
    }
    expect(requests).toEqual(['POST /a']);
  });
});
