import type { DefaultContext, Middleware, ParameterizedContext } from 'koa';
import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.ts';
import type { AppContext } from '../../app-context.ts';
import { fromDatabaseError } from '../../db/errors.ts';
import { AppError, notFound } from '../../errors.ts';
import type { RequestState } from '../state.ts';
import { errorHeaders } from './security-headers.ts';

type Context = ParameterizedContext<RequestState, DefaultContext>;

const CLIENT_GONE = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);
const BY_STATUS: Record<number, ErrorCode> = {
  400: 'validation_failed',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

interface ErrorLike {
  code?: unknown;
  status?: unknown;
  message?: unknown;
  syscall?: unknown;
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code);

/** Any thrown value as an AppError. Integrations throw errors with a code of the contract; an unknown error is a bug. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, status, message, syscall } = (error ?? {}) as ErrorLike;
  if (isErrorCode(code)) return new AppError(code, { message: String(message ?? ''), cause: error });
  if (CLIENT_GONE.has(String(code)) && syscall !== 'connect') {
    const fromDb = fromDatabaseError(error);
    return fromDb ?? new AppError('client_closed_request', { cause: error });
  }
  const fromDb = fromDatabaseError(error);
  if (fromDb) return fromDb;
  const known = typeof status === 'number' ? BY_STATUS[status] : undefined;
  return new AppError(known ?? 'internal_error', { cause: error });
}

/** Sends an error as JSON. Headers that were set before are dropped. */
export function sendError(ctx: Context, error: AppError, headers: Record<string, string>): void {
  const { requestId } = ctx.state;
  for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
  ctx.set(headers);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Request-Id', requestId);
  if (error.retryAfter !== undefined) ctx.set('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))));
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
  // the rest of a body would be taken for the next request
  if (!ctx.req.complete && error.status !== 404) ctx.set('Connection', 'close');
  ctx.status = error.status;
  ctx.body = { message: error.message, code: error.code, ...(error.fields && { fields: error.fields }), requestId };
}

function logError({ state }: Context, error: AppError): void {
  const cause = error.cause ?? error;
  if (error.code === 'internal_error') state.log.error({ err: cause }, 'bug');
  else if (error.code === 'validation_failed' && fromDatabaseError(error.cause))
    state.log.warn({ err: cause }, 'validation gap: the contract let through what the database refused');
  // rejected requests are counted instead: under overload a line each is too much
  else if (error.status >= 503 && (error.cause || error.code !== 'overloaded'))
    state.log.warn({ err: cause }, error.code);
}

export function handleErrors({ config, metrics }: AppContext): Middleware<RequestState, DefaultContext> {
  const headers = errorHeaders(config);
  return async function handleError(ctx, next) {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null && !ctx.headerSent) throw notFound();
    } catch (thrown) {
      const error = toAppError(thrown);
      logError(ctx, error);
      if (error.code === 'overloaded') metrics.requestShed();
      if (ctx.headerSent) ctx.req.destroy();
      else sendError(ctx, error, headers);
    }
  };
}
