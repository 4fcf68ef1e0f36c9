import { readFileSync } from 'node:fs';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What was skipped and why, and what passed only on a retry. Printed at the end. */
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

export interface VitestReport {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

type FileReport = VitestReport['testResults'][number];

/** A file that failed without a failed test (it did not load, or a hook threw) counts as one failure. */
function countFile({ status, assertionResults }: FileReport): Counts {
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  const failed = assertionResults.filter((test) => test.status === 'failed').length;
  const skipped = assertionResults.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  const notes = skipped.map(({ fullName }) => `${fullName} (skipped by itself)`);
  return count({ passed, failed: failed || Number(status === 'failed'), skipped: skipped.length, notes });
}

export const countVitest = ({ testResults }: VitestReport): Counts => addUp(testResults.map(countFile));

export const listFailedFiles = ({ testResults }: VitestReport): string[] =>
  testResults.filter((file) => countFile(file).failed > 0).map(({ name }) => name);

export const replaceFailed = (first: VitestReport, second: VitestReport): VitestReport => ({
  testResults: [...first.testResults.filter((file) => countFile(file).failed === 0), ...second.testResults],
});

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { title: string; file: string; tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[] }[];
}

export interface PlaywrightReport {
  errors: unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

const listSpecs = (suites: PlaywrightSuite[]): PlaywrightSuite['specs'] =>
  suites.flatMap(({ suites: inner = [], specs }) => [...specs, ...listSpecs(inner)]);

/** Each error outside of a test (the marketplace did not start, a file did not load) counts as one failure. */
export function countPlaywright({ errors, stats, suites }: PlaywrightReport): Counts {
  const flaky = listSpecs(suites).filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected || errors.length,
    skipped: stats.skipped,
    notes: [
      ...(stats.skipped > 0 ? [`${stats.skipped} browser tests (skipped by themselves)`] : []),
      ...flaky.map(({ title, file }) => `UNSTABLE: ${title} (${file}) failed, and passed when run again`),
    ],
  };
}

/**
 * Reads and counts a report. A missing report, or a runner that failed without a failed test, counts as one failure.
 */
export function readReport<T>(path: string, succeeded: boolean, countReport: (report: T) => Counts): Counts {
  try {
    const counts = countReport(JSON.parse(readFileSync(path, 'utf8')) as T);
    return { ...counts, failed: counts.failed || Number(!succeeded) };
  } catch {
    return count({ failed: 1 });
  }
}
