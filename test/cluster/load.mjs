// Runs in a pod. Reads the pages of a marketplace through its Service, as an ingress controller does: over connections
// that stay open. Ends when /tmp/stop exists and AT_LEAST requests were made. Its last line is the result.
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const READERS = 8;
const PATHS = ['/', '/api/ads', '/api/categories/stats', '/api/ads?search=desk', '/categories', '/healthz'];
const { ORIGIN, HOST, AT_LEAST } = process.env;
const agent = new Agent({ keepAlive: true, maxSockets: READERS });
const failures = [];
let requests = 0;

const read = (path, reader) =>
  new Promise((resolve, reject) => {
    const headers = { Host: HOST, 'X-Forwarded-For': `198.51.100.${reader}`, 'X-Forwarded-Proto': 'https' };
    const call = request(ORIGIN + path, { agent, headers, timeout: 30_000 }, (response) => {
      response
        .resume()
        .once('error', reject)
        .once('end', () => resolve(response.statusCode));
    });
    call
      .once('timeout', () => call.destroy(new Error('no response for 30 s')))
      .once('error', reject)
      .end();
  });

const print = () => console.log(JSON.stringify({ requests, failed: failures.length, failures: failures.slice(0, 20) }));

let stopped = false;
const reading = Array.from({ length: READERS }, async (_, reader) => {
  for (let i = reader; !stopped; i++) {
    const path = PATHS[i % PATHS.length];
    const began = new Date().toISOString();
    const status = await read(path, reader).catch((error) => error.message);
    if (status !== 200) failures.push(`${began} ${path}: ${status}`);
    requests++;
  }
});
while (!(existsSync('/tmp/stop') && requests >= Number(AT_LEAST))) {
  await sleep(1000);
  print();
}
stopped = true;
await Promise.all(reading);
print();
process.exit(0);
