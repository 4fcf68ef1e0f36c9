import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Config } from '../config/load.ts';
import { errorHeaders } from './middleware/security-headers.ts';

const ANSWERS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
};

/** Invalid HTTP never reaches Koa: it gets the JSON and headers of any other error, and its socket is closed. */
export function respondToParserErrors(config: Pick<Config, 'isHttps'>) {
  const headers = Object.entries(errorHeaders(config)).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, message] = ANSWERS[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP'];
    const body = JSON.stringify({ message, code: 'validation_failed', requestId: randomUUID() });
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nCache-Control: no-store\r\n${headers.join('')}` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}
