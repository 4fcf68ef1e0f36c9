/**
 * `make soak`: an hour at a fifth of what the server can do, with writes, event streams and photos. Prints what it uses
 * every five minutes and whether any of it grows. The exit code is 1 if something grows or requests fail.
 */
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { streamMessages } from '../../contract/messages.ts';
import { median } from '../bench/timing.ts';
import { makePhoto, toDataUrl } from '../harness/photos.ts';
import { type Marketplace, withMarketplace } from './marketplace.ts';
import { OUTCOMES, sumTallies, sumWindows, type Tally, timeAt } from './outcomes.ts';
import { fitPerHour, QUANTITIES, readTables, type Sample, type TableSize, takeSample } from './samples.ts';
import { beginRequest, newAddress, send } from './send.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    ads: { type: 'string', default: '100000' },
    /** Requests a second, instead of a fifth of what is measured: for a machine with other work. */
    rate: { type: 'string' },
  },
});
const MINUTES = Number(values.minutes);
/** Of the run: caches fill and code is compiled before that. */
const SETTLING = 0.25;
const SAMPLE_MS = 10_000;
const ROW_MINUTES = Math.min(5, MINUTES / 2);
const SHARE = 1 / 5;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 10;
const CAPACITY_SECONDS = 15;
const WRITERS = 1000;
const UPLOAD_MS = 2000;
const STREAM_MS = 1000;
const STREAM_LIFE_MS = 120_000;
const SQUARE = 16;
const SERIAL_BITS = 16;
/** Small enough that images leave it during the run. */
const CACHE_DISK_MB = 64;

interface Background {
  started: number;
  failures: string[];
  stop(): Promise<void>;
}

/** Does `work` at fixed intervals, regardless of how long it takes. */
function keepDoing(intervalMs: number, work: (serial: number) => Promise<unknown>): Background {
  const underWay = new Set<Promise<unknown>>();
  const background: Background = { started: 0, failures: [], stop: async () => {} };
  const timer = setInterval(() => {
    const done = work(background.started++)
      .catch((error: Error) => void background.failures.push(error.message))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }, intervalMs);
  background.stop = async () => {
    clearInterval(timer);
    await Promise.all(underWay);
  };
  return background;
}

/** Posts ads with a photo that nobody posted before, and looks at it in every size. */
async function startUploads({ port, material }: Marketplace): Promise<Background> {
  const target = { port, host: material.host };
  const { data, info } = await sharp(await makePhoto({ width: 800, height: 600 }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  /** The serial number in black and white squares: the server does not store an existing image again. */
  const shoot = (serial: number) => {
    for (let y = 0; y < SQUARE * SERIAL_BITS; y++) {
      const start = y * info.width * info.channels;
      data.fill(((serial >> Math.floor(y / SQUARE)) & 1) * 255, start, start + SQUARE * info.channels);
    }
    return sharp(data, { raw: info }).jpeg().toBuffer();
  };
  return keepDoing(UPLOAD_MS, async (serial) => {
    const { cookie } = material.writers[serial % material.writers.length]!;
    const text = { title: `Photographed ${serial}`, description: 'Posted by the soak.', price: '12' };
    const body = { ...text, category: 'furniture', imageUrls: [toDataUrl(await shoot(serial))] };
    const posted = await send(target, { method: 'POST', path: '/api/ads', cookie, body, address: newAddress() });
    if (posted.status !== 201) throw new Error(`upload: ${posted.status} ${posted.text}`);
    const full = String(JSON.parse(posted.text).imageUrls[0]);
    for (const variant of ['full', 'medium', 'thumb']) {
      const path = new URL(full.replace(/\w+\.jpg$/, `${variant}.jpg`), 'http://x').pathname;
      const { status } = await send(target, { path, address: newAddress() });
      if (status !== 200) throw new Error(`${path}: ${status}`);
    }
  });
}

/** People open a page and leave it again after up to two minutes. */
function startStreams({ port, material }: Marketplace): Background {
  const open = new Set<ClientRequest>();
  const streams = keepDoing(STREAM_MS, async (serial) => {
    const { cookie } = material.writers[(serial * 7) % material.writers.length]!;
    const target = { port, host: material.host };
    const stream = beginRequest(target, { path: streamMessages.path, cookie, address: newAddress() });
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject).once('response', (response) => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`stream: ${response.statusCode}`));
        response.on('error', () => {}).resume();
      });
      stream.end();
    });
    open.add(stream);
    stream.on('error', () => {});
    setTimeout(() => {
      stream.destroy();
      open.delete(stream);
    }, Math.random() * STREAM_LIFE_MS).unref();
  });
  const { stop } = streams;
  streams.stop = async () => {
    await stop();
    for (const stream of open) stream.destroy();
  };
  return streams;
}

const show = (value: number): string => (Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0));

function printRow(samples: readonly Sample[], requests: Tally, seconds: number): void {
  const cells = QUANTITIES.map(({ key }) => show(median(samples.map((sample) => sample[key]))));
  const minute = Math.round(samples.at(-1)!.atMs / 60_000);
  const served = show(requests.counts.served / seconds);
  console.log(`| ${[minute, ...cells, served, show(timeAt(requests, 0.99))].join(' | ')} |`);
}

function printVerdict(samples: readonly Sample[]): boolean {
  const late = samples.slice(Math.floor(samples.length * SETTLING));
  console.log('\n| | median | growth in an hour | allowed | flat |\n| --- | --- | --- | --- | --- |');
  const grown = QUANTITIES.filter(({ key, name, allowed }) => {
    const list = late.map((sample) => sample[key]);
    const slope = fitPerHour(late, list);
    const isFlat = allowed === undefined || slope <= allowed;
    const verdict = allowed === undefined ? '' : isFlat ? 'yes' : '**no**';
    console.log(`| ${name} | ${show(median(list))} | ${show(slope)} | ${allowed ?? ''} | ${verdict} |`);
    return !isFlat;
  });
  console.log(`\n${grown.length === 0 ? 'FLAT' : `GROWS: ${grown.map(({ name }) => name).join('; ')}`}`);
  return grown.length === 0;
}

function printTables(before: readonly TableSize[], after: readonly TableSize[]): void {
  console.log('\nTables that grew by more than half a megabyte:');
  for (const { name, bytes, rows } of after) {
    const old = before.find((table) => table.name === name);
    const [grown, added] = [bytes - (old?.bytes ?? 0), rows - (old?.rows ?? 0)];
    if (grown > 2 ** 19) console.log(`  ${name}: ${show(grown / 2 ** 20)} MiB, ${added} rows`);
  }
}

async function measureCapacity({ load }: Marketplace): Promise<number> {
  await load.run({ connections: CONNECTIONS }, WARM_UP_SECONDS);
  const { counts } = sumWindows(await load.run({ connections: CONNECTIONS }, CAPACITY_SECONDS));
  return counts.served / CAPACITY_SECONDS;
}

async function soak(marketplace: Marketplace): Promise<void> {
  const capacity = await measureCapacity(marketplace);
  const rate = Number(values.rate ?? capacity * SHARE);
  console.log(`${show(capacity)} requests a second at most; ${show(rate)} a second for ${MINUTES} minutes\n`);
  console.log(`| minute | ${QUANTITIES.map(({ name }) => name).join(' | ')} | requests a second | p99, ms |`);
  console.log(`|${' --- |'.repeat(QUANTITIES.length + 3)}`);
  const before = await readTables(marketplace);
  const startedMs = performance.now();
  const run = marketplace.load.start({ rate });
  const background = [startStreams(marketplace), await startUploads(marketplace)];
  const samples: Sample[] = [];
  let total = sumWindows([]);
  const perRow = (ROW_MINUTES * 60_000) / SAMPLE_MS;
  while (performance.now() - startedMs < MINUTES * 60_000) {
    await sleep(SAMPLE_MS - ((performance.now() - startedMs) % SAMPLE_MS));
    samples.push(await takeSample(marketplace, startedMs));
    if (samples.length % perRow !== 0) continue;
    const recent = sumWindows(run.windows.splice(0));
    total = sumTallies([total, recent]);
    printRow(samples.slice(-perRow), recent, ROW_MINUTES * 60);
  }
  for (const { stop } of background) await stop();
  const { counts } = sumTallies([total, sumWindows(await run.settle())]);
  const isFlat = printVerdict(samples);
  printTables(before, await readTables(marketplace));
  console.log(`\nrequests: ${OUTCOMES.map((outcome) => `${counts[outcome]} ${outcome}`).join(', ')}`);
  for (const [i, { started, failures }] of background.entries())
    console.log(
      `${['event streams', 'photos'][i]}: ${started}, ${failures.length} failed ${failures.slice(0, 5).join('; ')}`,
    );
  const failed =
    counts.failed + counts.refused + counts.timedOut + background.flatMap(({ failures }) => failures).length;
  if (!isFlat || failed > 0) process.exitCode = 1;
}

await withMarketplace(
  { ads: Number(values.ads), writers: WRITERS, env: { CACHE_DISK_MB: String(CACHE_DISK_MB) } },
  soak,
);
