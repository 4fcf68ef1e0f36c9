import type { IncomingMessage } from 'node:http';
import type { State } from './state.ts';

export interface Settings {
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  appName: string;
}

/** One request, as the handlers see it. */
export interface Exchange {
  method: string;
  url: URL;
  params: Record<string, string>;
  headers: IncomingMessage['headers'];
  cookies: Record<string, string>;
  body: string;
  state: State;
  settings: Settings;
}

/** Handlers answer with data: only so can an answer be lost, or replaced by a fault, after the work was done. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

export type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
});

export const redirect = (to: string, headers: Record<string, string> = {}): Reply => ({
  status: 302,
  headers: { location: to, 'cache-control': 'no-store', ...headers },
  body: '',
});

const MAX_BODY = 256 * 1024;

export const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

export const readCookies = (header = ''): Record<string, string> =>
  Object.fromEntries(header.split(/;\s*/).map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']));

/** The body as a form; undefined when it was sent as anything else. */
export const readForm = ({ headers, body }: Exchange): URLSearchParams | undefined =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(body) : undefined;

/** The body as a JSON object; undefined when it is none. */
export const readJson = ({ body }: Exchange): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};
