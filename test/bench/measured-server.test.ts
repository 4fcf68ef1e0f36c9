import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { untilReady } from './measured-server.ts';

const state = { status: 503 };
const server = createServer((_request, response) => {
  response.writeHead(state.status, { Connection: 'close' }).end('{"reason":"12 migrations are pending"}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;

test('a bench gives up on a server that does not get ready, and says why', async () => {
  await expect(untilReady({ exitCode: null }, url, 0)).rejects.toThrow(/does not get ready.*12 migrations are pending/);
  await expect(untilReady({ exitCode: 3 }, url)).rejects.toThrow('ended with exit code 3');
  state.status = 200;
  await untilReady({ exitCode: null }, url, 0);
});
