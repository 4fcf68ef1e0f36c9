import type { DefaultContext, Middleware, ParameterizedContext } from 'koa';
import type { AppContext } from '../../app-context.ts';
import { fromDatabaseError } from '../../db/errors.ts';
import { type AppError, describeError, notFound } from '../../errors.ts';
import { speakingTo } from '../request/language.ts';
import type { RequestState } from '../request/request-info.ts';
import { toAppError } from '../response/app-error.ts';
import { errorHeaders } from './security.ts';

type Context = ParameterizedContext<RequestState, DefaultContext>;

/** In the language that the request asks for. */
export function sendError(
  { config }: Pick<AppContext, 'config'>,
  ctx: Context,
  error: AppError,
  headers: Record<string, string>,
): void {
  const { requestId } = ctx.state;
  for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
  ctx.set(headers);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Request-Id', requestId);
  if (error.retryAfter !== undefined) ctx.set('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))));
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
  // otherwise the rest of the body would be parsed as the next request
  if (!ctx.req.complete && error.status !== 404) ctx.set('Connection', 'close');
  ctx.status = error.status;
  ctx.body = { ...speakingTo(ctx.req, config, () => describeError(error), ctx.state.actor), requestId };
}

function logError({ state }: Context, error: AppError): void {
  const cause = error.cause ?? error;
  if (error.code === 'internal_error') state.log.error({ err: cause }, 'bug');
  else if (error.code === 'validation_failed' && fromDatabaseError(error.cause))
    state.log.warn({ err: cause }, 'validation gap: the contract let through what the database refused');
  // rejected requests are counted instead, because a line each is too much under overload
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
      else sendError({ config }, ctx, error, headers);
    }
  };
}
