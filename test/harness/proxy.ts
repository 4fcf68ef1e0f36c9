import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Proxy {
  url: string;
  mode: { now: 'pass' | 'swallow' };
  cut(): void;
  /** Delays each chunk by this many milliseconds; 0 ends that. */
  slow(milliseconds: number): void;
  /** Cuts this many connections instead of passing on the response to COMMIT: the client cannot know its outcome. */
  loseCommits(count: number): void;
  freeze(): void;
  thaw(): void;
  close(): void;
}

/** A proxy in front of a server on TCP, or on the Unix socket in the folder of `?host=`. */
export async function openProxy(target: URL): Promise<Proxy> {
  const mode: Proxy['mode'] = { now: 'pass' };
  let delay = 0;
  let commitsToLose = 0;
  const delayed = () =>
    new Transform({
      async transform(chunk, _encoding, done) {
        if (delay > 0) await sleep(delay);
        done(null, chunk);
      },
    });
  const withoutLostCommits = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (commitsToLose === 0 || !chunk.includes('COMMIT\0')) return done(null, chunk);
        commitsToLose--;
        done(new Error('the response to COMMIT is lost'));
      },
    });
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (mode.now === 'swallow') return;
    const folder = target.searchParams.get('host');
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port), target.hostname);
    sockets.add(upstream);
    upstream.on('error', () => {});
    const responses = withoutLostCommits().on('error', () => socket.destroy());
    socket.pipe(delayed()).pipe(upstream).pipe(responses).pipe(delayed()).pipe(socket);
    // A half-open connection that has not authenticated blocks DROP DATABASE for a minute.
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
    for (const end of [socket, upstream]) end.on('close', () => sockets.delete(end));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: url.href,
    mode,
    cut,
    slow(milliseconds) {
      delay = milliseconds;
    },
    loseCommits(count) {
      commitsToLose = count;
    },
    freeze() {
      mode.now = 'swallow';
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      mode.now = 'pass';
      for (const socket of sockets) socket.resume();
    },
    close() {
      cut();
      server.close();
    },
  };
}
