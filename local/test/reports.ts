import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run-command.ts';
import { failure, type Outcome } from './suite.ts';

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
