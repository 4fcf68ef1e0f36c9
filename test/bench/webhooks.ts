/**
 * `make bench-webhooks`: how long a thousand webhooks wait for what they hear of, first while all receivers answer, then while two
 * hundred of them never do. Each has an address of its own. Prints a table; DATABASE_URL may name an empty database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { type AppContext, createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import { migrateUp } from '../../server/db/migrate.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { insertWebhookEvents } from '../../server/features/webhooks/events-repository.ts';
import { encryptSecret } from '../../server/features/webhooks/secrets.ts';
import { createSecret } from '../../server/features/webhooks/signature.ts';
import { jobHandlers } from '../../server/job-handlers.ts';
import { startWorker } from '../../server/jobs/worker.ts';
import { insertUser } from '../harness/factories.ts';

const WEBHOOKS = 1000;
const SILENT = 200;
const ROUNDS = 15;
const ROUND_MS = 3000;
const PATIENCE_MS = 30_000;

/** One server for all addresses of 127/8, in a thread of its own. It tells which message came when. */
const RECEIVER = `
  const { parentPort } = require('node:worker_threads');
  require('node:http').createServer((req, res) => {
    let body = '';
    req.on('data', (part) => { body += part; });
    req.on('end', () => {
      if (req.url === '/silent') return;
      parentPort.postMessage({ id: JSON.parse(body).data.messageId, host: req.headers.host, at: Date.now() });
      res.writeHead(204).end();
    });
  }).listen(0, '0.0.0.0', function () { parentPort.postMessage({ port: this.address().port }); });
`;

interface Arrival {
  id: string;
  host: string;
  at: number;
}

const toHost = (n: number, port: number): string => `127.1.${n >> 8}.${n & 255}:${port}`;

const insertWebhooks = async (app: AppContext, port: number): Promise<string[]> => {
  const people: string[] = [];
  for (let n = 0; n < WEBHOOKS; n++) {
    const { id: user_id } = await insertUser(app);
    const host = toHost(n, port);
    const row = {
      id: String(n + 1),
      user_id,
      url: `http://${host}/heard`,
      host,
      events: ['message.received' as const],
    };
    await app
      .db('webhooks')
      .insert({ ...row, format: 'standard', ...encryptSecret(app.config, row.id, createSecret()) });
    people.push(user_id);
  }
  return people;
};

const listWaits = (sentAt: ReadonlyMap<string, number>, arrivals: readonly Arrival[]): number[] =>
  arrivals.map(({ id, at }) => at - sentAt.get(id)!).sort((one, other) => one - other);

const summarize = (waits: readonly number[]) => {
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
  return { deliveries: waits.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'slowest ms': at(1) };
};

const measure = async (app: AppContext, people: readonly string[], heard: Arrival[], answering: number) => {
  const sentAt = new Map<string, number>();
  heard.length = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = Date.now();
    const messageId = `${answering}-${round}`;
    await inTransaction(app.db, (trx) =>
      insertWebhookEvents(
        trx,
        people.map((userId) => ({
          type: 'message.received' as const,
          userId,
          data: { messageId, adId: '1', personId: '2' },
        })),
      ),
    );
    sentAt.set(messageId, Date.now());
    await sleep(Math.max(0, begun + ROUND_MS - Date.now()));
  }
  for (let waited = 0; heard.length < answering * ROUNDS && waited < PATIENCE_MS; waited += 100) await sleep(100);
  if (heard.length < answering * ROUNDS) throw new Error(`${heard.length} of ${answering * ROUNDS} arrived`);
  return summarize(listWaits(sentAt, heard));
};

const folder = mkdtempSync(join(tmpdir(), 'tradepost-webhooks-'));
const postgres = process.env.DATABASE_URL ? undefined : await startPostgres({ dataDir: folder, onEvent: () => {} });
const url = process.env.DATABASE_URL ?? postgres!.url;
await migrateUp({ url });
const app = createAppContext(
  readConfig({
    NODE_ENV: 'development',
    DATABASE_URL: url,
    LOG_LEVEL: 'error',
    CACHE_DIR: join(folder, 'cache'),
    TOKEN_ENC_KEY: 'a-key-that-only-this-benchmark-has-00000',
  }),
);
const heard: Arrival[] = [];
const receiver = new Worker(RECEIVER, { eval: true });
const { port } = await new Promise<{ port: number }>((resolve) => void receiver.once('message', resolve));
receiver.on('message', (arrival: Arrival) => void heard.push(arrival));
const people = await insertWebhooks(app, port);
const worker = startWorker(app, jobHandlers);
const answering = await measure(app, people, heard, WEBHOOKS);
await app.db.raw(`update webhooks set url = replace(url, '/heard', '/silent') where id <= ${SILENT}`);
const beside = await measure(app, people, heard, WEBHOOKS - SILENT);
console.table({ 'all answer': answering, [`${SILENT} never answer`]: beside });
await worker.stop(0);
await receiver.terminate();
await app.close();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
