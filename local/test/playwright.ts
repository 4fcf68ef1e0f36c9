import { ensureChromium } from '../../test/chromium.ts';
import { buildWeb } from '../start/web-build.ts';
import { newReport, readReport } from './reports.ts';
import { ROOT, runCommand } from './run-command.ts';
import { addUp, nothing, type Outcome } from './suite.ts';

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
