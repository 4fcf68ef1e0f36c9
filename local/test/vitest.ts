import { newReport, readReport } from './reports.ts';
import { runCommand } from './run-command.ts';
import type { Outcome } from './suite.ts';

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[];
}

/** Counts tests; a file that failed without a failed test (it did not load, a hook threw) is a failure of its own. */
export const countVitest = (report: VitestReport): Outcome => {
  const crashed = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const skipped = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed');
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + crashed.length,
    skipped: skipped.length,
    notes: skipped.map(({ fullName }) => `${fullName} (skipped by itself)`),
  };
};

/** Runs one of vitest.config.ts's projects, or, where `config` names one, a configuration of its own. */
export const runVitest = async (project: string, config?: string): Promise<Outcome> => {
  const report = newReport(project);
  const what = config ? `--config ${config}` : `--project ${project}`;
  const succeeded = await runCommand(
    `vitest run ${what} --passWithNoTests --reporter=default --reporter=json --outputFile.json='${report}'`,
  );
  const outcome = readReport(report, succeeded, countVitest);
  const isEmpty = outcome.passed + outcome.failed + outcome.skipped === 0;
  return isEmpty ? { ...outcome, notes: [`${project}: there are no such tests`] } : outcome;
};
