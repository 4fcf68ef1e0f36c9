import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildWeb } from '../../local/marketplace.ts';
import { ensureChromium } from '../harness/chromium.ts';

export const ROOT = join(import.meta.dirname, '../..');

interface JourneySuite {
  suites?: JourneySuite[];
  specs: { title: string; file: string; tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[] }[];
}

export interface PlaywrightReport {
  errors: unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: JourneySuite[];
}

/** Every journey below these suites, of all files and groups. */
const listJourneys = (suites: JourneySuite[]): JourneySuite['specs'] =>
  suites.flatMap(({ suites: inner = [], specs }) => [...specs, ...listJourneys(inner)]);

/**
 * Counts tests; errors outside any test (the app did not start, a file did not load) are failures of their own. A journey
 * that passed when it was tried again has passed, and is named.
 */
export const countPlaywright = ({ errors, stats, suites }: PlaywrightReport): Outcome => {
  const flaky = listJourneys(suites).filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    skipped: stats.skipped,
    notes: [
      ...(stats.skipped > 0 ? [`${stats.skipped} browser tests (skipped by themselves)`] : []),
      ...flaky.map(({ title, file }) => `UNSTABLE: ${title} (${file}) failed, and passed when tried again`),
    ],
  };
};

/** Half of the time is spent on how every screen looks; each half has a marketplace of its own. */
const HALVES = { screens: '--grep "screens\\.spec"', journeys: '--grep-invert "screens\\.spec"' };

async function runHalf(name: keyof typeof HALVES, chromium: string): Promise<Outcome> {
  const report = newReport(`e2e-${name}`);
  const command = `playwright test ${HALVES[name]} --output=test-results/${name} --reporter=list,json`;
  const succeeded = await runCommand(command, {
    PLAYWRIGHT_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return readReport(report, succeeded, countPlaywright);
}

/**
 * Runs the journeys of test/e2e in Chromium, which is installed where it is not found: both halves at once, since a
 * browser mostly waits.
 */
export const runPlaywright = async (): Promise<Outcome> => {
  const chromium = ensureChromium();
  if (!chromium.path) return { ...nothing([`e2e: ${chromium.problem}`]), skipped: 1 };
  // not by each of the two into the same place
  await buildWeb(ROOT);
  return addUp(await Promise.all([runHalf('screens', chromium.path), runHalf('journeys', chromium.path)]));
};

const REPORTS = join(ROOT, '.cache/test-reports');

/** Where a suite's runner writes its JSON report; an earlier run's is removed, so that it cannot be taken for this one's. */
export const newReport = (suite: string): string => {
  mkdirSync(REPORTS, { recursive: true });
  const path = join(REPORTS, `${suite}.json`);
  rmSync(path, { force: true });
  return path;
};

/** Reads a report with `count`. None at all, or a runner that failed without a failed test, counts as one failure. */
export const readReport = <T>(path: string, succeeded: boolean, count: (report: T) => Outcome): Outcome => {
  let outcome: Outcome;
  try {
    outcome = count(JSON.parse(readFileSync(path, 'utf8')) as T);
  } catch {
    return failure();
  }
  return !succeeded && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
};

/** Runs a command of the checkout on the pinned Node, with its output shown as it comes. Returns whether it succeeded. */
export const runCommand = async (command: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> => {
  const child = spawn(command, {
    shell: true,
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
};

/** What one suite came to. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** Why something was not run, or passed at a second try only; printed at the end. */
  notes: string[];
}

export interface Suite {
  name: string;
  /** A check passes or fails as a whole and is no test: only its failure counts. */
  isCheck?: boolean;
  run: () => Promise<Outcome> | Outcome;
}

export const nothing = (notes: string[] = []): Outcome => ({ passed: 0, failed: 0, skipped: 0, notes });
export const failure = (): Outcome => ({ passed: 0, failed: 1, skipped: 0, notes: [] });

export const addUp = (outcomes: Outcome[]): Outcome =>
  outcomes.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      notes: [...sum.notes, ...one.notes],
    }),
    nothing(),
  );

const check = (name: string, command: string): Suite => ({
  name,
  isCheck: true,
  run: async () => ((await runCommand(command)) ? nothing() : failure()),
});

const vitest = (name: string, config?: string): Suite => ({ name, run: () => runVitest({ name, config }) });

/** Takes minutes: in CI, or when asked for by name. */
const inCi = (suite: Suite, command: string): Suite => ({
  ...suite,
  run: () =>
    process.env.CI || process.argv.includes(suite.name)
      ? suite.run()
      : nothing([`${suite.name}: \`${command}\` runs it, and CI`]),
});

/** Tests that ask most of the database. `make test-pooler` and `make test-oldest` run the others, too. */
const DATABASE_TESTS = ['ads.http', 'list.http', 'messages.http', 'search.http', 'replicas', 'limits.http'];

const runDatabaseTests = (name: string, more: string, env: NodeJS.ProcessEnv): Promise<Outcome> =>
  runVitest({ name, project: 'http', files: [...DATABASE_TESTS, more], env });

/** Through PgBouncer. */
const runPooler = async (): Promise<Outcome> =>
  (await runCommand('make --silent pgbouncer'))
    ? runDatabaseTests('pooler', 'listen', { TEST_POOLER: 'pgbouncer' })
    : nothing(['pooler: no PgBouncer here, and none to be had']);

/** On the oldest PostgreSQL that we promise to run on. */
const runOldest = async (): Promise<Outcome> =>
  (await runCommand('make --silent oldest-postgres'))
    ? runDatabaseTests('oldest', 'server/db', { TEST_POSTGRES_IMAGE: 'postgres:15' })
    : nothing(['oldest: no postgres:15 here, and none to be had']);

/** Needs a load tool. Fails only where something is far below what is promised, in ratios of one run. */
const runBench = async (): Promise<Outcome> => {
  if (!(await runCommand('make --silent wrk'))) return nothing(['bench: no wrk here, and none to be had']);
  if (await runCommand('make --silent bench-quick')) return nothing();
  // Somebody else's minute of work on the machine is no slowness of ours; two in a row are looked into.
  if (!(await runCommand('make --silent bench-quick'))) return failure();
  return nothing(['UNSTABLE: bench-quick fell far short, and did not when run again']);
};

/**
 * Everything `make test` runs, step by step: what fails fastest comes first. The suites of one step run at the same time:
 * those that wait more than they work. HTTP tests and journeys have the machine to themselves: they fill it.
 */
export const steps: Suite[][] = [
  [
    check('types', 'npm run --silent types'),
    check('lint', 'npm run --silent lint'),
    check('import rules', 'npm run --silent deps'),
    check('dead code', 'knip'),
    check('bundle budget', 'npm run --silent budget'),
  ],
  [vitest('unit'), vitest('web')],
  [vitest('http')],
  [
    vitest('local'),
    vitest('chart', 'test/chart/vitest.config.ts'),
    inCi(vitest('docker', 'test/docker/vitest.config.ts'), 'make docker-test'),
  ],
  [{ name: 'e2e', run: runPlaywright }],
  [inCi({ name: 'pooler', run: runPooler }, 'make test-pooler')],
  [inCi({ name: 'oldest', run: runOldest }, 'make test-oldest')],
  [{ name: 'bench', isCheck: true, run: runBench }],
];

interface FileReport {
  /** The file's path. */
  name: string;
  status: string;
  assertionResults: { status: string; fullName: string }[];
}

export interface VitestReport {
  testResults: FileReport[];
}

/** What a run came to, with the files in which something failed left out and named, to be run once more. */
interface Run {
  outcome: Outcome;
  withoutFailed: Outcome;
  failedFiles: string[];
}

const countFile = ({ status, assertionResults }: FileReport): Outcome => {
  const count = (wanted: string) => assertionResults.filter((test) => test.status === wanted).length;
  const skipped = assertionResults.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  const crashed = status === 'failed' && count('failed') === 0;
  return {
    passed: count('passed'),
    failed: count('failed') + (crashed ? 1 : 0),
    skipped: skipped.length,
    notes: skipped.map(({ fullName }) => `${fullName} (skipped by itself)`),
  };
};

/** Counts tests; a file that failed without a failed test (it did not load, a hook threw) is a failure of its own. */
export const countVitest = ({ testResults }: VitestReport): Outcome => addUp(testResults.map(countFile));

const hasFailed = (file: FileReport) => countFile(file).failed > 0;

/** What to run: a project of vitest.config.ts, or, where `config` names one, a configuration of its own. */
export interface VitestSuite {
  name: string;
  project?: string;
  config?: string;
  /** Parts of paths; all files without any. */
  files?: string[];
  env?: NodeJS.ProcessEnv;
}

async function run({ name, project = name, config, files: paths = [], env }: VitestSuite): Promise<Run> {
  const report = newReport(name);
  const what = [config ? `--config ${config}` : `--project ${project}`, ...paths].join(' ');
  const succeeded = await runCommand(
    `vitest run ${what} --passWithNoTests --reporter=default --reporter=json --outputFile.json='${report}'`,
    env,
  );
  const files: FileReport[] = [];
  const outcome = readReport(report, succeeded, (read: VitestReport) => {
    files.push(...read.testResults);
    return countVitest(read);
  });
  const failedFiles = files.filter(hasFailed).map((file) => relative(ROOT, file.name));
  // A run that failed as a whole (an error outside any test) is run again as a whole.
  const good = failedFiles.length > 0 ? files.filter((file) => !hasFailed(file)) : [];
  return { outcome, withoutFailed: countVitest({ testResults: good }), failedFiles };
}

/**
 * What a run and the second one, of its failed files alone, come to together. A test that fails twice is a failure; a file
 * that passes the second time is named, because it found a race or a machine too slow for it.
 */
export const joinRuns = (withoutFailed: Outcome, failedFiles: string[], again: Outcome): Outcome => {
  const names = failedFiles.length > 0 ? failedFiles.join(', ') : 'the whole suite';
  const notes = again.failed === 0 ? [`UNSTABLE: ${names} failed, and passed when run again`] : [];
  return addUp([withoutFailed, again, { passed: 0, failed: 0, skipped: 0, notes }]);
};

/** Runs one suite. In CI, where nobody is there to look, failed files run once more. */
export const runVitest = async (suite: VitestSuite): Promise<Outcome> => {
  const { outcome, withoutFailed, failedFiles } = await run(suite);
  const isEmpty = outcome.passed + outcome.failed + outcome.skipped === 0;
  if (isEmpty) return { ...outcome, notes: [`${suite.name}: there are no such tests`] };
  if (outcome.failed === 0 || !process.env.CI) return outcome;
  console.log(`\nRunning ${failedFiles.join(' ') || `${suite.name}, which failed outside its tests,`} once more.`);
  const second = await run({ ...suite, files: failedFiles.length > 0 ? failedFiles : suite.files });
  return joinRuns(withoutFailed, failedFiles, second.outcome);
};
