import { connect } from 'node:net';

export interface RawConnection {
  /** `isLast`: the server closes the connection. */
  send(bytes: string, onResponse: (status: number, isLast: boolean) => void): void;
  destroy(): void;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/**
 * A keep-alive HTTP/1.1 connection for one request at a time. It reads the status and skips the body: node:http would
 * cost the load as much as the server. `onClosed` is called once, also when the server cannot be reached.
 */
export function openRawConnection(port: number, localAddress: string, onClosed: () => void): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  let head = '';
  let isInBody = false;
  let tail = '';
  let status = 0;
  /** Bytes of the body to come; -1: a body in chunks. */
  let left = 0;
  let isLast = false;
  let respond: ((status: number, isLast: boolean) => void) | undefined;

  function end(): void {
    const ended = respond;
    [respond, head, tail, isInBody] = [undefined, '', '', false];
    if (isLast) socket.destroy();
    ended?.(status, isLast);
  }

  function skipBody(bytes: Buffer): void {
    if (left >= 0) left -= bytes.length;
    else tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 5))).slice(-5);
    if (left === 0 || tail === LAST_CHUNK) end();
  }

  function readHead(chunk: Buffer): void {
    head += chunk.toString('latin1');
    const split = head.indexOf(HEAD_END);
    if (split < 0) return;
    const fields = head.slice(0, split + 2).toLowerCase();
    const length = /\r\ncontent-length: (\d+)/.exec(fields)?.[1];
    status = Number(fields.slice(9, 12));
    isLast = fields.includes('\r\nconnection: close\r\n');
    const hasChunks = fields.includes('\r\ntransfer-encoding: chunked\r\n');
    left = hasChunks ? -1 : Number(length ?? 0);
    const read = head.length - split - HEAD_END.length;
    isInBody = true;
    skipBody(chunk.subarray(chunk.length - read));
  }

  socket.on('data', (chunk: Buffer) => (isInBody ? skipBody(chunk) : readHead(chunk)));
  socket.on('error', () => {});
  socket.once('close', onClosed);
  return {
    send(bytes, onResponse) {
      respond = onResponse;
      socket.write(bytes, 'latin1');
    },
    destroy: () => void socket.destroy(),
  };
}
