// The short form of `make drill`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runSeed } from './run-seed.ts';
import { openDrillSite } from './site.ts';

const directory = await mkdtemp(join(tmpdir(), 'tradepost-drill-'));
const site = await openDrillSite({ directory, log: () => {} });
afterAll(async () => {
  await site.close();
  await rm(directory, { recursive: true, force: true });
});

const SECONDS = 5;
/** Guards against a drill that hangs. */
const TIMEOUT_MS = 600_000;

test(
  'faults lose or double no acknowledged write',
  async () => {
    const { counts, faults, problems } = await runSeed(site, { seed: 1, seconds: SECONDS });
    const { acknowledged, unknown } = counts;
    console.log(`${acknowledged} writes acknowledged, ${unknown} unknown; faults: ${JSON.stringify(faults)}`);
    expect(problems).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
    expect(faults['replica killed']).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
