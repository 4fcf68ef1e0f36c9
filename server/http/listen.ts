import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Socket, type Server as TcpServer } from 'node:net';

/** Each takes one connection in a turn of the event loop. */
const LISTENERS = 16;

export interface Listening {
  address: AddressInfo;
  /** Takes no more connections. Resolves when the last one is closed. */
  close(): Promise<void>;
}

interface Place {
  host: string;
  port: number;
  reusePort?: boolean;
}

/** Listens with one socket. Port 0 means any. */
export const listen = (server: TcpServer, place: Place): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => resolve(server.address() as AddressInfo));
  });

const closed = (server: TcpServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Sockets that share a port do not notice that another process has it too. So one that does not share asks first. */
async function findPort(place: Place): Promise<number> {
  const probe = createServer();
  const { port } = await listen(probe, place);
  await closed(probe);
  return port;
}

/**
 * Listens with several sockets, among which the kernel divides new connections. In a turn of the event loop, Node takes
 * one connection from each. Under load a turn takes tens of milliseconds: with one socket, new clients would wait for
 * minutes while connected ones are served. Where the system cannot share a port, one socket listens.
 */
export async function listenWithMany(server: Server, { host, port }: Place, listeners = LISTENERS): Promise<Listening> {
  const place = { host, port: await findPort({ host, port }), reusePort: true };
  const address = await listen(server, place).catch(() => undefined);
  if (!address) return { address: await listen(server, { host, port }), close: () => closed(server) };

  const forward = (socket: Socket) => void server.emit('connection', socket);
  const others = Array.from({ length: listeners - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, forward),
  );
  const all = [server, ...others];
  const maxConnections = Math.ceil(server.maxConnections / listeners);
  for (const one of all) one.maxConnections = maxConnections;
  await Promise.all(others.map((other) => listen(other, place)));
  return { address, close: async () => void (await Promise.all(all.map(closed))) };
}
