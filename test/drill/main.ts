/**
 * `make drill`: seeded random clients write through two replicas while faults strike. Prints a line for each seed and the
 * totals. The exit code is 1 if anything was lost, doubled or wrong, and 2 if the drill itself could not run.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPlantedBugs } from './planted.ts';
import { runSeed, type SeedReport } from './run-seed.ts';
import { openDrillSite } from './site.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    /** Repeats this seed only. */
    seed: { type: 'string' },
    /** How long people and faults are loose in each seed. */
    seconds: { type: 'string', default: '12' },
    /** Ends after the first seed with a problem. */
    'until-found': { type: 'boolean', default: false },
    /** Plants each bug of planted-bugs/ and runs seeds until the drill finds it. */
    planted: { type: 'boolean', default: false },
    /** Of the planted bugs, only these. */
    only: { type: 'string', multiple: true, default: [] },
    verbose: { type: 'boolean', default: false },
  },
});

const SHOWN = 20;
const seconds = Number(values.seconds);
const seeds = values.seed ? [Number(values.seed)] : Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);

const toList = (counts: Iterable<[string, number]>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';

const printSeed = ({ seed, counts, faults, errors, problems }: SeedReport): void => {
  const { acknowledged, unknown, refused, repeated } = counts;
  const writes = `${acknowledged} writes acknowledged, ${unknown} unknown, ${refused} refused, ${repeated} repeated`;
  console.log(`seed ${seed}: ${writes}; faults: ${toList(Object.entries(faults))}; ${problems.length} problems`);
  if (values.verbose || problems.length > 0) console.log(`  errors: ${toList(errors)}`);
  for (const { kind, what } of problems.slice(0, SHOWN)) console.log(`  ${kind}: ${what.slice(0, 400)}`);
  if (problems.length > SHOWN) console.log(`  and ${problems.length - SHOWN} more`);
  if (problems.length > 0) console.log(`  repeat with: node test/drill/main.ts --seed ${seed} --seconds ${seconds}`);
};

const add = (into: Record<string, number>, counts: Readonly<Record<string, number>>): void => {
  for (const [name, count] of Object.entries(counts)) into[name] = (into[name] ?? 0) + count;
};

const printTotals = (reports: readonly SeedReport[], minutes: number): void => {
  const writes: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const problems: Record<string, number> = { lost: 0, doubled: 0, wrong: 0 };
  for (const report of reports) {
    add(writes, report.counts);
    add(faults, report.faults);
    for (const { kind } of report.problems) add(problems, { [kind]: 1 });
  }
  console.log(`\n${reports.length} seeds in ${minutes.toFixed(1)} minutes`);
  console.log(`writes: ${toList(Object.entries(writes))}`);
  console.log(`faults: ${toList(Object.entries(faults))}`);
  console.log(`problems: ${toList(Object.entries(problems))}`);
};

const keepLogs = (directory: string): void => {
  for (const name of readdirSync(directory))
    if (!name.endsWith('.log')) rmSync(join(directory, name), { recursive: true, force: true });
  console.log(`the logs of the replicas are in ${directory}`);
};

const runSeeds = async (): Promise<boolean> => {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-drill-'));
  const site = await openDrillSite({ directory, log: (line) => values.verbose && console.log(`  ${line}`) });
  const start = performance.now();
  const reports: SeedReport[] = [];
  const hasProblems = () => reports.some(({ problems }) => problems.length > 0);
  const leave = () => {
    rmSync(directory, { recursive: true, force: true });
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void site.close().finally(leave));
  try {
    for (const seed of seeds) {
      const report = await runSeed(site, { seed, seconds });
      reports.push(report);
      printSeed(report);
      if (values['until-found'] && hasProblems()) break;
    }
  } finally {
    await site.close();
    if (hasProblems()) keepLogs(directory);
    else rmSync(directory, { recursive: true, force: true });
  }
  printTotals(reports, (performance.now() - start) / 60_000);
  return !hasProblems();
};

const findAll = async (): Promise<boolean> => {
  const log = (line: string) => console.log(line);
  return (await findPlantedBugs({ seeds: seeds.length, seconds, only: values.only, log })) === 0;
};

try {
  process.exitCode = (await (values.planted ? findAll() : runSeeds())) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 2;
}
