import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { DefaultContext, Middleware } from 'koa';
import type { Config } from '../../config/load.ts';
import type { RequestState } from '../request/request-info.ts';

const UNTRACED = /^\/(livez|readyz|healthz|assets)\b/;

export const traceRequests = ({ trustProxyHops }: Config): Middleware<RequestState, DefaultContext> => {
  const tracer = trace.getTracer('tradepost');
  return async function traceRequest(ctx, next) {
    if (UNTRACED.test(ctx.path)) return next();
    const parent = trustProxyHops > 0 ? propagation.extract(context.active(), ctx.headers) : context.active();
    const attributes = { 'http.request.method': ctx.method, 'tradepost.request_id': ctx.state.requestId };
    const span = tracer.startSpan(ctx.method, { kind: SpanKind.SERVER, attributes }, parent);
    ctx.state.traceId = span.spanContext().traceId;
    ctx.res.once('close', () => {
      const { route = 'other' } = ctx.state;
      span.updateName(`${ctx.method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': ctx.res.statusCode });
      if (ctx.res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    await context.with(trace.setSpan(parent, span), next);
  };
};
