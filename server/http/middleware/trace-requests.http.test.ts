import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { startTracing } from '../../observability/tracing.ts';

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

const sent: SentSpan[] = [];
const paths: string[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  paths.push(request.url ?? '');
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
  for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) sent.push(...spans);
  response.setHeader('Content-Type', 'application/json').end('{}');
});
// Batches come every five seconds, when Node would just close the connection of the last one.
collector.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
afterAll(() => collector.close());

const { app, anonymous } = await openTestApp({
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRUST_PROXY_HOPS: '1' },
});
const close = startTracing({ endpoint, serviceName: 'tradepost', pools: { main: app.db } });

test('a request and its statements are one trace, which continues that of the proxy, and no value is in it', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await anonymous.send('/api/ads/4711', { headers: { traceparent } });
  await anonymous.send('/readyz');
  // a span ends when its response is closed, which may be after the client has it
  await expect.poll(() => sent.map(({ name }) => name)).toContain('GET /api/ads/:id');
  await close();
  expect(paths).toContain('/v1/traces');
  const request = sent.find(({ name }) => name === 'GET /api/ads/:id');
  expect(request).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' });
  const statements = sent.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(statements.map(({ name }) => name)).toContain('SELECT');
  expect(JSON.stringify(sent)).not.toContain('4711');
  expect(sent.map(({ name }) => name).filter((name) => name.includes('readyz'))).toEqual([]);
});
