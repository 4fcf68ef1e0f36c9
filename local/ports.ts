import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const tryPort = async (host: string, port: number): Promise<number> => {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return taken;
};

const explain = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} make start`);
  if (error.code === 'EACCES') return new Error(`Port ${port} is for root only. Choose another: PORT=8080 make start`);
  return new Error(`Cannot listen on ${host}, port ${port}: ${error.message}`);
};

/** Time that a process of an earlier run may take to release the port. */
const RELEASE_MS = 2_000;

/** Below the ports that systems give to outgoing connections: one of those would take it before the server listens. */
const [FIRST, END] = [20_000, 32_000];

/** Returns `port` if it is free, or any free port for 0. The error message is for the operator. */
export const findFreePort = async (host: string, port: number): Promise<number> => {
  for (const end = Date.now() + RELEASE_MS; ; await sleep(100)) {
    try {
      return await tryPort(host, port || randomInt(FIRST, END));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > end)
        throw explain(error as NodeJS.ErrnoException, host, port);
    }
  }
};
