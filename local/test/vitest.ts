import { relative } from 'node:path';
import { newReport, readReport } from './reports.ts';
import { ROOT, runCommand } from './run-command.ts';
import { addUp, type Outcome } from './suite.ts';

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
