const BODY_CAP = 64 * 1024;
/** No connection was established, so X cannot have processed the request. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface XRequest {
  name: string;
  url: string;
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  /** Values that must never appear in an error, even if X repeats them. */
  secrets: string[];
  timeoutMs: number;
}

export type XCall = Omit<XRequest, 'timeoutMs'>;

export interface XResponse {
  status: number;
  body: Record<string, unknown>;
  rateLimit: XRateLimit | undefined;
  transactionId: string | undefined;
}

/**
 * One request to X: no redirects, a response of at most 64 KiB, `timeoutMs` in total. @throws {XError} and no other
 * error
 */
export const callX = async (request: XRequest): Promise<XResponse> => {
  const { status, headers, text } = await exchange(request);
  const meta = {
    status,
    rateLimit: readRateLimit(headers),
    transactionId: headers.get('x-transaction-id')?.slice(0, 100),
  };
  const body = parseObject(text);
  if (status >= 200 && status < 300) {
    if (!body) throw new XError(`${request.name}: no JSON in the answer`, { failure: 'lost', ...meta });
    return { ...meta, body };
  }
  const described = body ? describeProblem(body) : {};
  const detail = described.detail && scrub(described.detail, request.secrets);
  throw new XError(`${request.name}: ${status}${described.problem ? ` ${described.problem}` : ''}`, {
    failure: 'answered',
    ...meta,
    ...described,
    detail,
  });
};

const exchange = async (request: XRequest) => {
  try {
    const response = await fetch(request.url, {
      method: request.method ?? 'GET',
      // One connection per request: if X has just closed a kept-alive one, the fate of a post is unknown.
      headers: { accept: 'application/json', connection: 'close', ...request.headers },
      body: request.body ?? null,
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs),
    });
    return { status: response.status, headers: response.headers, text: await readCapped(response) };
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code;
    const failure = code && UNSENT.has(code) ? 'unsent' : 'lost';
    const why = (error as Error).name === 'TimeoutError' ? 'no answer in time' : (code ?? 'connection lost');
    throw new XError(`${request.name}: ${why}`, { failure });
  }
};

const GONE = new Set([403, 404, 410]);
const IMAGE_CAP = 5 * 1024 * 1024;

/** An image at X; undefined if it is gone. @throws {XError} if X does not answer as it should, also with too much */
export const readImage = async (url: string, timeoutMs: number): Promise<Buffer | undefined> => {
  try {
    const headers = { accept: 'image/*', connection: 'close' };
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (GONE.has(response.status)) return undefined;
    if (!response.ok) throw new Error(`status ${response.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > IMAGE_CAP) throw new Error('too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw new XError(`an avatar: ${(error as Error).message}`, { failure: 'lost' });
  }
};

const readCapped = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_CAP) throw new Error('answer too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const readRateLimit = (headers: Headers): XRateLimit | undefined => {
  const read = (name: string) => Number(headers.get(`x-rate-limit-${name}`) ?? Number.NaN);
  const [limit, remaining, resetAt] = [read('limit'), read('remaining'), read('reset')];
  return Number.isFinite(resetAt) ? { limit, remaining, resetAt } : undefined;
};

/**
 * X sends problem documents, older error lists or OAuth errors. Hosts in `type` vary, so its last part identifies it.
 */
const describeProblem = (body: Record<string, unknown>): Pick<XErrorDetails, 'problem' | 'detail' | 'codes'> => {
  const errors = Array.isArray(body.errors) ? (body.errors as Record<string, unknown>[]) : [];
  const type = asText(body.type)?.split('/').at(-1);
  return {
    problem: asText(body.error) ?? asText(body.reason) ?? (type && type !== 'about:blank' ? type : undefined),
    detail: (asText(body.error_description) ?? asText(body.detail) ?? asText(errors[0]?.message))?.slice(0, 300),
    codes: errors.map((e) => e?.code).filter((code) => typeof code === 'number'),
  };
};

export const asText = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

const scrub = (text: string, secrets: string[]): string =>
  secrets.reduce((clean, secret) => (secret ? clean.replaceAll(secret, '[secret]') : clean), text);

export interface XRateLimit {
  limit: number;
  remaining: number;
  resetAt: number;
}

/**
 * How far a failed request got.
 * - `unsent`: no connection was established, X has not received it.
 * - `lost`: X may have processed it; the response was lost or invalid.
 * - `answered`: X refused it with a status.
 */
export type XFailure = 'unsent' | 'lost' | 'answered';

export interface XErrorDetails {
  failure: XFailure;
  status?: number;
  /** Last path part of the problem's type ("credits-depleted"), or OAuth's error code ("invalid_request"). */
  problem?: string;
  /** X's message, shortened and without secrets; for operators, not for users. */
  detail?: string;
  /** X's older numeric codes: 326 is a locked account. */
  codes?: number[];
  rateLimit?: XRateLimit;
  transactionId?: string;
}

/** A failed request to X. Neither message nor fields ever hold a token. */
export class XError extends Error {
  override readonly name = 'XError';
  readonly failure: XFailure;
  readonly status: number | undefined;
  readonly problem: string | undefined;
  readonly detail: string | undefined;
  readonly codes: number[];
  readonly rateLimit: XRateLimit | undefined;
  readonly transactionId: string | undefined;

  constructor(message: string, details: XErrorDetails) {
    super(message);
    this.failure = details.failure;
    this.status = details.status;
    this.problem = details.problem;
    this.detail = details.detail;
    this.codes = details.codes ?? [];
    this.rateLimit = details.rateLimit;
    this.transactionId = details.transactionId;
  }
}
