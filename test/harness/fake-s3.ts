import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Implements enough of S3 for a bucket: signed PUT, GET, DELETE, and listings of two objects per page. `failNext`
 * responds with 503 that many times; `delayPuts` delays each PUT.
 */
export async function startFakeS3(bucket: string) {
  const objects = new Map<string, { bytes: Buffer; type: string | undefined; at: Date }>();
  let failures = 0;
  let putDelayMs = 0;
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '', 'http://localhost');
    const body = await buffer(req).catch(() => undefined);
    // the client went away: it does not know whether an object was stored, and none was
    if (body === undefined) return req.destroy();
    if (!/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/test-1\/s3\/aws4_request/.test(req.headers.authorization ?? ''))
      return res.writeHead(403).end('unsigned');
    if (failures > 0) return res.writeHead(503).end(String(failures--));
    if (!url.pathname.startsWith(`/${bucket}`)) return res.writeHead(404).end('<Code>NoSuchBucket</Code>');
    const name = url.pathname.slice(bucket.length + 2);
    if (req.method === 'PUT') await sleep(putDelayMs);
    if (req.method === 'PUT') objects.set(name, { bytes: body, type: req.headers['content-type'], at: new Date() });
    if (req.method === 'DELETE') return res.writeHead(objects.delete(name) ? 204 : 204).end();
    if (name === '') return res.end(listObjects(url.searchParams));
    const found = objects.get(name);
    return found
      ? res.writeHead(200, { 'content-type': found.type }).end(found.bytes)
      : res.writeHead(404).end('<Code>NoSuchKey</Code>');
  });

  function listObjects(query: URLSearchParams): string {
    const names = [...objects.keys()].sort().filter((name) => name.startsWith(query.get('prefix') ?? ''));
    const start = Number(query.get('continuation-token') || 0);
    const contents = names.slice(start, start + 2).map((name) => {
      const { bytes, at } = objects.get(name)!;
      return `<Contents><Key>${name}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const more = start + 2 < names.length ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${more}</ListBucketResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    failNext: (times: number) => {
      failures = times;
    },
    delayPuts: (milliseconds: number) => {
      putDelayMs = milliseconds;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
