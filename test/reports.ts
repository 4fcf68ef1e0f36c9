import { readFileSync } from 'node:fs';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What was skipped and why, what passed only on a retry, and what failed. Printed at the end. */
  notes: string[];
}

export const count = (counts: Partial<Counts> = {}): Counts => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  notes: [],
  ...counts,
});

export const addUp = (all: Counts[]): Counts =>
  all.reduce(
    (sum, counts) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
      notes: [...sum.notes, ...counts.notes],
    }),
    count(),
  );

/** Written by vitest-report.ts. */
export interface VitestReport {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
  /** What was thrown outside of tests, and the files that it belongs to, if that is known. */
  errors: { message: string; files: string[] }[];
}

type FileReport = VitestReport['testResults'][number];

/** A file that failed without a failed test (it did not load, or a hook threw) counts as one failure. */
function countFile({ name, status, assertionResults }: FileReport): Counts {
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const skipped = assertionResults.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  const notes = [
    ...skipped.map(({ fullName }) => `${fullName} (skipped by itself)`),
    ...failed.map(({ fullName }) => `FAILED: ${fullName} (${name})`),
    ...(failed.length === 0 && status === 'failed' ? [`FAILED outside of tests: ${name}`] : []),
  ];
  return count({ passed, failed: failed.length || Number(status === 'failed'), skipped: skipped.length, notes });
}

type OutsideError = VitestReport['errors'][number];

const describeError = ({ files, message }: OutsideError): string =>
  `${files.join(', ') || 'no file is known'}: ${message}`;

const listFailedFiles = ({ testResults }: VitestReport): string[] =>
  testResults.filter((file) => countFile(file).failed > 0).map(({ name }) => name);

/** Each error outside of tests counts as one failure, unless a test of its files failed, and is named. */
export function countVitest(report: VitestReport): Counts {
  const failedFiles = new Set(listFailedFiles(report));
  const others = report.errors.filter(({ files }) => !files.some((file) => failedFiles.has(file)));
  const notes = report.errors.map((error) => `FAILED outside of tests: ${describeError(error)}`);
  return addUp([...report.testResults.map(countFile), count({ failed: others.length, notes })]);
}

/** How a run of Vitest ended. It writes no report if it dies. */
export interface VitestRun {
  succeeded: boolean;
  report: VitestReport | undefined;
}

export const countRun = (suite: string, { report, succeeded }: VitestRun): Counts =>
  countReport(suite, report && countVitest(report), succeeded);

/**
 * The files with a failed test or an error outside of tests. Undefined if no file has a result, such as after a setup
 * that failed.
 */
export function listFilesToRepeat({ report }: VitestRun): string[] | undefined {
  if (!report || report.testResults.length === 0) return undefined;
  return [...new Set([...listFailedFiles(report), ...report.errors.flatMap(({ files }) => files)])];
}

/** The first run, with the repeated files as the second run found them. An error that belongs to no file stays. */
function replaceRepeated(first: VitestReport, second: VitestReport, repeated: readonly string[]): VitestReport {
  return {
    testResults: [...first.testResults.filter(({ name }) => !repeated.includes(name)), ...second.testResults],
    errors: [...first.errors.filter(({ files }) => files.length === 0), ...second.errors],
  };
}

/** What the first run found and the second did not. */
function describeUnstable(suite: string, { report }: VitestRun): string[] {
  const failed = report ? listFailedFiles(report) : [];
  const errors = (report?.errors ?? []).filter(({ files }) => files.length > 0);
  const names = failed.length > 0 || errors.length > 0 ? failed : [suite];
  return [
    ...(names.length > 0 ? [`UNSTABLE: ${names.join(', ')} failed, and passed when run again`] : []),
    ...errors.map((error) => `UNSTABLE: error outside of tests, not when run again: ${describeError(error)}`),
  ];
}

/** Counts a run whose failed files, or else all files, were repeated. */
export function countRepeated(suite: string, first: VitestRun, second: VitestRun): Counts {
  const again = countRun(suite, second);
  const repeated = listFilesToRepeat(first);
  const total =
    repeated && first.report && second.report
      ? countRun(suite, { ...second, report: replaceRepeated(first.report, second.report, repeated) })
      : again;
  return again.failed > 0 ? total : { ...total, notes: [...total.notes, ...describeUnstable(suite, first)] };
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { title: string; file: string; tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[] }[];
}

export interface PlaywrightReport {
  errors: { message?: string }[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

const listSpecs = (suites: PlaywrightSuite[]): PlaywrightSuite['specs'] =>
  suites.flatMap(({ suites: inner = [], specs }) => [...specs, ...listSpecs(inner)]);

/** Each error outside of a test (the marketplace did not start, a file did not load) counts as one failure. */
export function countPlaywright({ errors, stats, suites }: PlaywrightReport): Counts {
  const listWith = (status: string) =>
    listSpecs(suites).filter(({ tests }) => tests.some((test) => test.status === status));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected || errors.length,
    skipped: stats.skipped,
    notes: [
      ...(stats.skipped > 0 ? [`${stats.skipped} browser tests (skipped by themselves)`] : []),
      ...listWith('flaky').map(({ title, file }) => `UNSTABLE: ${title} (${file}) failed, and passed when run again`),
      ...listWith('unexpected').map(({ title, file }) => `FAILED: ${title} (${file})`),
      ...errors.map(({ message }) => `FAILED outside of tests: ${message?.split('\n')[0]}`),
    ],
  };
}

export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/**
 * The counts of a suite. A missing report, or a runner that failed without a failed test, counts as one failure and is
 * named.
 */
export function countReport(suite: string, counts: Counts | undefined, succeeded: boolean): Counts {
  if (counts && (counts.failed > 0 || succeeded)) return counts;
  const { notes, ...others } = counts ?? count();
  return { ...others, failed: 1, notes: [...notes, `FAILED outside of tests: ${suite}; its output says why`] };
}
