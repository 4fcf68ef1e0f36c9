/** Clients that hold connections open, read or send a byte a second, or send far too much. */
import type { ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { signInAdmin } from '../../contract/auth.ts';
import { streamMessages } from '../../contract/messages.ts';
import { uploadPhoto } from '../../contract/photos.ts';
import { beginRequest, newAddress, type Target } from './send.ts';

export interface Attack {
  /** Connections that were opened. */
  opened: number;
  /** Of these, the server closed so many. */
  closed: number;
  /** Responses by status. */
  statuses: Map<number, number>;
  stop(): void;
}

const startAttack = (): { attack: Attack; onStop: (effect: () => void) => void; note: (status: number) => void } => {
  const effects: (() => void)[] = [];
  const attack: Attack = {
    opened: 0,
    closed: 0,
    statuses: new Map(),
    stop() {
      for (const effect of effects) effect();
    },
  };
  return {
    attack,
    onStop: (effect) => void effects.push(effect),
    note: (status) => void attack.statuses.set(status, (attack.statuses.get(status) ?? 0) + 1),
  };
};

/** Opens connections and lets `begin` write to each. Notes what the server sends first, and that it closes. */
function openSockets({ port }: Target, count: number, begin: (socket: Socket, i: number) => void) {
  const { attack, onStop, note } = startAttack();
  const sockets: Socket[] = [];
  let stopped = false;
  for (let i = 0; i < count; i++) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket
      .on('error', () => {})
      .once('connect', () => {
        attack.opened++;
        begin(socket, i);
      });
    socket.once('data', (bytes) => note(Number(bytes.toString('latin1', 9, 12))));
    socket.once('close', () => {
      if (!stopped) attack.closed++;
    });
    sockets.push(socket);
  }
  onStop(() => {
    stopped = true;
    for (const socket of sockets) socket.destroy();
  });
  return { attack, onStop, sockets };
}

const START = ({ host }: Target, start: string): string =>
  `${start} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${newAddress()}\r\nSec-Fetch-Site: same-origin\r\n`;

const EACH = 5;

/** Requests five long lists at once on each connection, and reads nothing. */
export function readNothing(target: Target, count: number): Attack {
  const { attack } = openSockets(target, count, (socket, i) => {
    socket.removeAllListeners('data').pause();
    const list = (n: number) => `${START(target, `GET /api/ads?limit=100&minPrice=${(i * EACH + n) / 100}`)}\r\n`;
    socket.write(Array.from({ length: EACH }, (_, n) => list(n)).join(''));
  });
  return attack;
}

/** Writes `bytes` a second to each connection that is still open. */
function dribble(sockets: readonly Socket[], text: string, onStop: (effect: () => void) => void): void {
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write(text);
  }, 1000);
  onStop(() => clearInterval(timer));
}

/** Sends a request whose headers do not end. */
export function sendHeadersSlowly(target: Target, count: number): Attack {
  const { attack, onStop, sockets } = openSockets(target, count, (socket) => socket.write(START(target, 'GET /')));
  dribble(sockets, 'X: y\r\n', onStop);
  return attack;
}

/** Sends a body whose bytes arrive one a second. */
export function sendBodySlowly(target: Target, count: number): Attack {
  const { method, path } = signInAdmin;
  const { attack, onStop, sockets } = openSockets(target, count, (socket) =>
    socket.write(
      `${START(target, `${method} ${path}`)}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
    ),
  );
  dribble(sockets, ' ', onStop);
  return attack;
}

/** Opens event streams, one after the other for each cookie in turn. */
export function openStreams(target: Target, count: number, cookies: readonly string[]): Attack {
  const { attack, onStop, note } = startAttack();
  let stopped = false;
  const open: ClientRequest[] = [];
  for (let i = 0; i < count; i++) {
    const cookie = cookies[i % cookies.length]!;
    const stream = beginRequest(target, { path: streamMessages.path, cookie, address: newAddress() });
    stream
      .on('error', () => {})
      .once('response', (response) => {
        attack.opened++;
        note(response.statusCode ?? 0);
        response.on('error', () => {}).resume();
      });
    stream.once('close', () => {
      if (!stopped) attack.closed++;
    });
    stream.end();
    open.push(stream);
  }
  onStop(() => {
    stopped = true;
    for (const stream of open) stream.destroy();
  });
  return attack;
}

/** `atOnce` clients send this body, each again as soon as it has a response. */
function sendAgainAndAgain(
  atOnce: number,
  make: (client: number) => { request: ClientRequest; pieces: number; piece: Buffer },
): Attack {
  const { attack, onStop, note } = startAttack();
  const open = new Set<ClientRequest>();
  let stopped = false;
  const attackOnce = (client: number): void => {
    if (stopped) return;
    const { request, pieces, piece } = make(client);
    let sent = 0;
    open.add(request);
    attack.opened++;
    request
      .on('error', () => {})
      .once('response', (response) => {
        note(response.statusCode ?? 0);
        response.on('error', () => {}).resume();
        response.once('end', () => request.destroy());
      });
    request.once('close', () => {
      open.delete(request);
      setTimeout(attackOnce, 50, client);
    });
    const write = (): void => {
      while (sent < pieces && !request.destroyed) {
        sent++;
        if (!request.write(piece)) return void request.once('drain', write);
      }
      if (sent >= pieces) request.end();
    };
    write();
  };
  for (let client = 0; client < atOnce; client++) attackOnce(client);
  onStop(() => {
    stopped = true;
    for (const request of open) request.destroy();
  });
  return attack;
}

const BOMB_BYTES = 50_000_000;

/** Sends gzip bodies that would unpack to 50 MB each. */
export function sendBombs(target: Target, atOnce: number): Attack {
  const bomb = gzipSync(Buffer.alloc(BOMB_BYTES, 0x20));
  return sendAgainAndAgain(atOnce, () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const { method, path } = signInAdmin;
    return {
      request: beginRequest(target, { method, path, headers, address: newAddress() }),
      pieces: 1,
      piece: bomb,
    };
  });
}

const MEGABYTE = 2 ** 20;
const UPLOAD_MEGABYTES = 19;

/** Signed-in people upload 19 MB of blanks each, as photos. */
export function uploadTooMuch(target: Target, atOnce: number, cookies: readonly string[]): Attack {
  const piece = Buffer.alloc(MEGABYTE, 0x20);
  return sendAgainAndAgain(atOnce, (client) => {
    const headers = { 'Content-Type': 'image/jpeg', 'Content-Length': UPLOAD_MEGABYTES * MEGABYTE };
    const cookie = cookies[client % cookies.length]!;
    const { method, path } = uploadPhoto;
    return {
      request: beginRequest(target, { method, path, cookie, headers, address: newAddress() }),
      pieces: UPLOAD_MEGABYTES,
      piece,
    };
  });
}
