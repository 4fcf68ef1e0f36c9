import type { BodyInput, EndpointSpec, ParamsOf, QueryInput, ReplyOf } from '../../contract/endpoint.ts';
import { toUrl } from '../../contract/initial-state.ts';

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
}

export interface SendOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type CallOptions<E extends EndpointSpec> = {
  params?: ParamsOf<E>;
  query?: QueryInput<E>;
  /** Bytes for an endpoint that takes a file. */
  body?: BodyInput<E> | Uint8Array;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** Tests read responses of every shape, including errors. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Loose = any;

export interface Client {
  send<T = Loose>(path: string, options?: SendOptions): Promise<Answer<T>>;
  /** Calls an endpoint of the contract. Returns the response of any status. */
  call<E extends EndpointSpec>(spec: E, options?: CallOptions<E>): Promise<Answer<Loose>>;
  /** Calls an endpoint and throws the response unless it is a success. */
  ok<E extends EndpointSpec>(spec: E, options?: CallOptions<E>): Promise<ReplyOf<E>>;
  headers: Record<string, string>;
}

const toBody = (body: unknown): string | Uint8Array<ArrayBuffer> | undefined =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer> | undefined)
    : JSON.stringify(body);

async function readAnswer(response: Response): Promise<unknown> {
  // The body of a stream does not end.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return null;
  }
  const text = await response.text();
  if (text === '') return null;
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
}

const SESSION = /connect\.sid(\.sig)?=[^;]*(; )?/g;

/** A change of the ways in gives the session another id. */
const followRenewal = (cookies: string, setCookies: readonly string[]): string => {
  const renewed = setCookies.flatMap((line) => /^connect\.sid(\.sig)?=[^;]+/.exec(line)?.[0] ?? []);
  return renewed.length === 2 ? [...renewed, cookies.replaceAll(SESSION, '')].filter(Boolean).join('; ') : cookies;
};

/** A client of one server with fixed headers. Its session is kept, also under another id. Does not follow redirects. */
export function createClient(url: string, fixed: Record<string, string> = {}): Client {
  const client: Client = {
    headers: { 'Sec-Fetch-Site': 'same-origin', ...fixed },
    async send<T>(path: string, { method = 'GET', body, headers = {}, signal }: SendOptions = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...client.headers, ...headers },
        body: toBody(body),
        signal,
      });
      const { Cookie } = client.headers;
      if (Cookie?.includes('connect.sid='))
        client.headers.Cookie = followRenewal(Cookie, response.headers.getSetCookie());
      return { status: response.status, headers: response.headers, body: (await readAnswer(response)) as T };
    },
    call: (spec, { params, query, body, headers, signal } = {}) =>
      client.send(toUrl(spec, { params, query } as never), {
        method: spec.method,
        body,
        headers: { ...(spec.bodyTypes && { 'Content-Type': spec.bodyTypes[0] }), ...headers },
        signal,
      }),
    async ok(spec, options) {
      const answer = await client.call(spec, options);
      if (answer.status >= 300)
        throw new Error(`${spec.method} ${spec.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
  return client;
}

/** The mark of a write (read-your-writes.ts), which a browser sends back: with it, a read sees what was written. */
export const readMark = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith('wrote='))
    ?.split(';', 1)[0] ?? '';

/** A client that keeps cookies, as a browser does. */
export function createBrowser(
  url: string,
  fixed: Record<string, string> = {},
): Client & { cookies: Map<string, string> } {
  const client = createClient(url, fixed);
  const cookies = new Map<string, string>();
  const plain = client.send;
  client.send = async <T>(path: string, options: SendOptions = {}) => {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await plain<T>(path, { ...options, headers: { ...(sent && { Cookie: sent }), ...options.headers } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return Object.assign(client, { cookies });
}
