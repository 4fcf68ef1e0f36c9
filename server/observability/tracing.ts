import type { EventEmitter } from 'node:events';
import { context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export interface TracingOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT: spans go to `/v1/traces` below it, as OTLP over HTTP. */
  endpoint: string;
  serviceName: string;
  /** The connection pools, which emit an event for each statement. */
  pools: Record<string, Pick<EventEmitter, 'on'>>;
}

interface QueryEvent {
  __knexQueryUid: string;
  sql: string;
}

/** A span for each statement, without its values, which may be private. */
function traceQueries(tracer: Tracer, pool: string, db: Pick<EventEmitter, 'on'>): void {
  const open = new Map<string, Span>();
  const end = ({ __knexQueryUid: id }: QueryEvent, error?: Error) => {
    const span = open.get(id);
    if (error)
      span?.setStatus({ code: SpanStatusCode.ERROR, message: (error as { code?: string }).code ?? error.name });
    span?.end();
    open.delete(id);
  };
  db.on('query', ({ __knexQueryUid: id, sql }: QueryEvent) => {
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, 2000), 'db.client.pool': pool };
    const name = sql.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? 'QUERY';
    open.set(id, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context.active()));
  });
  db.on('query-response', (_reply: unknown, event: QueryEvent) => end(event));
  db.on('query-error', (error: Error, event: QueryEvent) => end(event, error));
}

/** Sends traces. Imported only with an endpoint. Returns a function that flushes the rest and stops. */
export function startTracing({ endpoint, serviceName, pools }: TracingOptions): () => Promise<void> {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url, timeoutMillis: 5000 }))],
  });
  provider.register();
  for (const [name, db] of Object.entries(pools)) traceQueries(provider.getTracer('tradepost'), name, db);
  return () => provider.shutdown();
}
