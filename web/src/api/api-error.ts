import type { ErrorReply } from '../../../contract/errors.ts';

/** Any answer that is not a success; its message is "{status}: {body or status text}". */
export class ApiError extends Error {
  readonly status: number;
  /** The server's own words and codes, when the body was one of its errors. */
  readonly reply: ErrorReply | undefined;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.reply = parseReply(body);
  }
}

/** Of what the server has found missing when it drew the page. */
export class MissingFromStart extends ApiError {
  /** Who comes back to it later asks again: by then it may be there. */
  isShown = false;

  constructor() {
    super(404, 'Not Found', '');
  }
}

const parseReply = (body: string): ErrorReply | undefined => {
  try {
    const json = JSON.parse(body);
    return typeof json?.message === 'string' ? json : undefined;
  } catch {
    return undefined;
  }
};

/** What a toast says about a failure: the server's message, else the fallback. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.reply?.message) || fallback;

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;
