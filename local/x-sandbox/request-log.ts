import type { Exchange } from './exchange.ts';

const KEPT = 500;
const SECRET = /^(code|state|token|access_token|refresh_token|client_secret|code_verifier|code_challenge|consent)$/;

/** One request as the log shows it: secrets are gone before it is stored. */
export interface LogEntry {
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown> | null;
  authorization: string | null;
  userAgent: string | null;
  status: number | null;
  fault: string | null;
}

export const describeRequest = ({ method, url, headers, body }: Exchange): LogEntry => ({
  at: new Date().toISOString(),
  method,
  path: url.pathname,
  query: mask(Object.fromEntries(url.searchParams)) as Record<string, string>,
  body: readAny(body, headers['content-type'] ?? ''),
  authorization: headers.authorization?.replace(/ .+$/, ' ***') ?? null,
  userAgent: headers['user-agent'] ?? null,
  status: null,
  fault: null,
});

export const remember = (log: LogEntry[], entry: LogEntry): void => {
  log.push(entry);
  if (log.length > KEPT) log.shift();
};

const mask = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, SECRET.test(key) ? '***' : value]));

const readAny = (body: string, type: string): Record<string, unknown> | null => {
  if (type.startsWith('application/x-www-form-urlencoded')) return mask(Object.fromEntries(new URLSearchParams(body)));
  try {
    const value: unknown = JSON.parse(body);
    return value && typeof value === 'object' ? mask(value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};
