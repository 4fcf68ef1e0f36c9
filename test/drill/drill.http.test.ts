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

test.each([1, 2])('faults lose or double no acknowledged write (seed %i)', async (seed) => {
  const { counts, faults, problems } = await runSeed(site, { seed, seconds: 5 });
  console.log(
    `${counts.acknowledged} writes acknowledged, ${counts.unknown} unknown; faults: ${JSON.stringify(faults)}`,
  );
  expect(problems).toEqual([]);
  expect(counts.acknowledged).toBeGreaterThan(0);
  expect(faults['replica killed']).toBeGreaterThan(0);
});
