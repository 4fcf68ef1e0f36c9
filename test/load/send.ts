import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Target {
  port: number;
  host: string;
}

export interface Sending {
  method?: string;
  path: string;
  cookie?: string;
  body?: object;
  headers?: OutgoingHttpHeaders;
  /** The client's address, of which each has its own limits. Default: the same for all. */
  address?: string;
}

export interface Response {
  status: number;
  retryAfter: number | undefined;
  location: string | undefined;
  text: string;
}

let clients = 0;
/** Another address in each call. */
export const newAddress = (): string => {
  clients++;
  return `100.${64 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}`;
};

/** Begins a request on a connection of its own, as a proxy forwards it. The caller ends it. */
export function beginRequest(
  { port, host }: Target,
  { method = 'GET', path, cookie, headers, address = '100.64.0.0' }: Sending,
): ClientRequest {
  const own = { Host: host, 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'same-origin', ...headers };
  return request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: cookie === undefined ? own : { ...own, Cookie: cookie },
  });
}

/** Sends a request and reads its whole response. Rejects where the connection breaks. */
export function send(target: Target, sending: Sending): Promise<Response> {
  const { body, headers } = sending;
  return new Promise((resolve, reject) => {
    const type = body ? { 'Content-Type': 'application/json' } : {};
    const sent = beginRequest(target, { ...sending, headers: { ...type, ...headers } });
    const finish = async (response: IncomingMessage) => ({
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'] ? Number(response.headers['retry-after']) : undefined,
      location: response.headers.location,
      text: await text(response),
    });
    sent.once('error', reject).once('response', (response) => void finish(response).then(resolve, reject));
    sent.end(body && JSON.stringify(body));
  });
}
