/**
 * `make test`: runs what finds most mistakes in ten minutes; with CI=true every suite, and with names those suites whole.
 * Prints what it left out, skipped or found unstable and why, and as its last line `N passed, N failed`. The exit code is
 * 1 if a test failed or no test ran.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from '../local/web-build.ts';
import { ENGINES, ensureEngines } from './engines/installation.ts';
import { ensureJourneyBrowser, readVersion } from './harness/chromium.ts';
import {
  addUp,
  type Counts,
  count,
  countPlaywright,
  countRepeated,
  countReport,
  countRun,
  listFilesToRepeat,
  type PlaywrightReport,
  readJson,
  type VitestRun,
} from './reports.ts';

interface Suite {
  name: string;
  run(): Promise<Counts>;
}

const ROOT = join(import.meta.dirname, '..');
const REPORTS = join(ROOT, '.cache/test-reports');
const wanted = process.argv.slice(2);

async function execute(command: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn(command, {
    shell: true,
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

function newReport(name: string): string {
  mkdirSync(REPORTS, { recursive: true });
  const path = join(REPORTS, `${name}.json`);
  rmSync(path, { force: true });
  return path;
}

/** A check is not a test: only its failure is counted. */
const check = (name: string, command: string): Suite => ({
  name,
  run: async () => ((await execute(command)) ? count() : count({ failed: 1, notes: [`FAILED: ${name} (${command})`] })),
});

/**
 * Runs a project of vitest.config.ts, or its `files` (parts of paths). In CI, files with a failed test or an error outside
 * of tests run once more, and all files if none has a result.
 */
async function runVitest(name: string, { project = name, files = '', env = {} } = {}): Promise<Counts> {
  const run = async (reportName: string, paths: string): Promise<VitestRun> => {
    const path = newReport(reportName);
    const command = `vitest run --project ${project} ${paths} --reporter=default --reporter=./test/vitest-report.ts`;
    const succeeded = await execute(command, { ...env, VITEST_REPORT: path });
    return { succeeded, report: readJson(path) };
  };
  const first = await run(name, files);
  const counts = countRun(name, first);
  const repeated = listFilesToRepeat(first);
  if (counts.failed === 0 || !process.env.CI || repeated?.length === 0) return counts;
  console.log(`\nRunning ${repeated?.join(' ') ?? name} once more.`);
  return countRepeated(name, first, await run(`${name}-again`, repeated?.join(' ') ?? files));
}

const vitest = (name: string): Suite => ({ name, run: () => runVitest(name) });

/** With `http-isolated`. */
const HTTP = "'http*'";

/** The HTTP tests that take longest: they kill processes, wait for clocks, or try every command. */
const LONG_HTTP_TESTS = [
  'cli/commands/every-command.db',
  'cli/commands/running.db',
  'server/db/migrate.db',
  'server/features/imports/kill.http',
  'server/features/imports/moving.http',
  'server/features/notifications/delivery-kill.http',
  'server/features/places/places.db',
  'server/features/webhooks/kill.http',
  'server/features/x-posts/kill.http',
  'server/jobs/heartbeat.http',
  'server/main.http',
  'test/deals/history.http',
  'test/load/hostile.http',
  'test/security/event-loop.http',
].map((path) => `${path}.test.ts`);

async function runHttp(): Promise<Counts> {
  if (isWhole('http')) return runVitest('http', { project: HTTP });
  const gone = LONG_HTTP_TESTS.filter((path) => !existsSync(join(ROOT, path)));
  if (gone.length > 0) throw new Error(`LONG_HTTP_TESTS names what does not exist: ${gone.join(', ')}`);
  const counts = await runVitest('http', { project: HTTP, env: { LEFT_OUT: LONG_HTTP_TESTS.join() } });
  const left = `http: ${LONG_HTTP_TESTS.length} long files: \`make test SUITES=http\` runs them, and CI`;
  return addUp([counts, count({ notes: [left] })]);
}

const isWhole = (name: string): boolean => Boolean(process.env.CI) || wanted.includes(name);

/** Takes minutes, so it runs in CI or when named on the command line. */
const inCi = ({ name, run }: Suite, command = `make test SUITES=${name}`): Suite => ({
  name,
  run: async () => (isWhole(name) ? run() : count({ notes: [`${name}: \`${command}\` runs it, and CI`] })),
});

/** Takes minutes and fails only if it cannot run at all. */
const byName = ({ name, run }: Suite, command: string): Suite => ({
  name,
  run: async () => (wanted.includes(name) ? run() : count({ notes: [`${name}: \`${command}\` runs it`] })),
});

/**
 * The tests that depend most on the database, with another setup. `make test-pooler` and `make test-oldest` also run
 * the rest.
 */
const databaseTests = (name: string, needs: string, extra: string, env: Record<string, string>): Suite =>
  inCi(
    {
      name,
      run: async () => {
        if (!(await execute(`make --silent ${needs}`))) return count({ notes: [`${name}: no ${needs} here`] });
        const files = `ads.http list.http messages.http search.http replicas limits.http ${extra}`;
        return runVitest(name, { project: HTTP, files, env });
      },
    },
    `make test-${name}`,
  );

/**
 * The browser tests run in two lanes of about the same length, one for each core. Each group has its own marketplace; the
 * groups of a lane run one after the other. The first group begins with the screens, which show the sample data.
 */
const SCREENS = '\\b(screens|search|styles|timings|x-posting|xss)\\.spec';
const LONG = '\\b(moderation|overlays|deals)\\.spec';
const LANES: Record<string, string>[] = [
  { screens: `--grep "${SCREENS}"`, long: `--grep "${LONG}"` },
  { journeys: `--grep-invert "${SCREENS}|${LONG}"` },
];
const MAIN_JOURNEYS = [{ main: '--grep "(?<!-)\\b(main-job|browsing|finding|first-html|back)\\.spec"' }];

function countBrowserTests(suite: string, path: string, succeeded: boolean): Counts {
  const report = readJson<PlaywrightReport>(path);
  return countReport(suite, report && countPlaywright(report), succeeded);
}

async function runPlaywright(): Promise<Counts> {
  const browser = ensureJourneyBrowser();
  if (!browser.path) return count({ skipped: 1, notes: [`e2e: ${browser.problem}`] });
  console.log(`e2e: ${readVersion(browser.path)} (${browser.path})`);
  // Build once before both lanes start, because both would build into the same directory.
  await buildWeb(ROOT);
  const runLane = async (groups: Record<string, string>) => {
    const counts: Counts[] = [];
    for (const [group, filter] of Object.entries(groups)) {
      const report = newReport(`e2e-${group}`);
      const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report };
      const command = `playwright test ${filter} --output=test-results/${group} --reporter=list,json`;
      counts.push(countBrowserTests(`e2e ${group}`, report, await execute(command, env)));
    }
    return addUp(counts);
  };
  if (isWhole('e2e')) return addUp(await Promise.all(LANES.map(runLane)));
  const left = 'e2e: most journeys and the screens: `make test SUITES=e2e` runs them, and CI';
  return addUp([...(await Promise.all(MAIN_JOURNEYS.map(runLane))), count({ notes: [left] })]);
}

/** The main job in other browsers than Chromium; by name also every page, which takes several minutes. */
async function runEngines(): Promise<Counts> {
  const missing = ensureEngines();
  const skips = count({ skipped: missing.length, notes: missing });
  if (missing.length === ENGINES.length) return skips;
  await buildWeb(ROOT);
  const report = newReport('engines');
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const files = wanted.includes('engines') ? '' : 'main-job';
  const command = `playwright test --config test/engines/playwright.config.ts ${files} --reporter=list,json`;
  return addUp([countBrowserTests('engines', report, await execute(command, env)), skips]);
}

/** Fails only where something cannot be measured: what is slow on this machine is printed. */
async function runBench(): Promise<Counts> {
  if (!(await execute('make --silent wrk'))) return count({ notes: ['bench: no wrk here, and none to be had'] });
  return count({ failed: Number(!(await execute('make --silent bench-quick'))) });
}

/**
 * The lanes of a step run concurrently, the suites of a lane one after the other. HTTP and browser tests use the whole
 * machine, so each has its own step: beside those of containers, HTTP tests took as much longer as both took one after the
 * other. What waits for containers leaves room for suites on databases, and not for those in browsers: when the network
 * interface of a container appears, it aborts their requests.
 */
const steps: Suite[][][] = [
  [
    [check('types', 'npm run --silent types')],
    [check('lint', 'npm run --silent lint')],
    [check('import rules', 'npm run --silent deps')],
    [check('dead code', 'knip')],
    [check('bundle budget', 'npm run --silent budget')],
  ],
  [[vitest('unit')], [vitest('web')]],
  [[{ name: 'http', run: runHttp }]],
  [
    [inCi(vitest('docker'), 'make docker-test')],
    [
      inCi(vitest('local')),
      inCi(vitest('chart'), 'make chart'),
      databaseTests('pooler', 'pgbouncer', 'listen', { TEST_POOLER: 'pgbouncer' }),
      databaseTests('oldest', 'oldest-postgres', 'server/db', { TEST_POSTGRES_IMAGE: 'postgres:15' }),
    ],
  ],
  [[{ name: 'e2e', run: runPlaywright }]],
  [[inCi({ name: 'engines', run: runEngines }, 'make engines')]],
  [[byName(vitest('openapi'), 'make openapi')]],
  [[byName({ name: 'bench', run: runBench }, 'make bench-quick')]],
];

const names = steps.flat(2).map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No suite "${unknown.join('", "')}". There are: ${names.join(', ')}.`);
  process.exit(2);
}

const lines: string[] = [];
const all: Counts[] = [];
for (const step of steps) {
  const run = async ({ name, run }: Suite) => {
    console.log(`\n=== ${name}`);
    const start = performance.now();
    const counts = await run().catch((error) => {
      console.error(error);
      return count({ failed: 1, notes: [`FAILED outside of tests: ${name}: ${error}`] });
    });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const { passed, failed, skipped } = counts;
    const result = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    lines.push(`  ${name.padEnd(14)}${result.padEnd(40)}${seconds.padStart(6)} s`);
    all.push(counts);
  };
  const isChosen = ({ name }: Suite) => wanted.length === 0 || wanted.includes(name);
  const runLane = async (lane: Suite[]) => {
    for (const suite of lane.filter(isChosen)) await run(suite);
  };
  await Promise.all(step.map(runLane));
}

const { passed, failed, skipped, notes } = addUp(all);
console.log(`\n${lines.join('\n')}\n`);
// What failed comes last, next to the counts: who sees only the end of a long output sees it.
const failures = notes.filter((note) => note.startsWith('FAILED'));
const others = notes.filter((note) => !note.startsWith('FAILED'));
console.log(others.length > 0 ? ['Left out, skipped or unstable:', ...others].join('\n  ') : 'Nothing was skipped.');
if (failures.length > 0) console.log(['', ...failures].join('\n'));
if (passed + failed === 0) console.log('\nNo test ran, which is a failure.');
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
