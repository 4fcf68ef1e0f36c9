/**
 * `make test`: every suite, or those named on the command line. Ends with what was skipped or unstable and why, and with the line
 * `N passed, N failed`. The exit code is 1 if anything failed or if no test ran at all.
 */
import { addUp, failure, type Outcome, type Suite } from './test/suite.ts';
import { suites } from './test/suites.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No suite "${unknown.join('", "')}". There are: ${suites.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const runSuite = async (suite: Suite): Promise<Outcome> => {
  console.log(`\n=== ${suite.name}`);
  try {
    return await suite.run();
  } catch (error) {
    console.error(error);
    return failure();
  }
};

const summarize = ({ name, isCheck }: Suite, { passed, failed, skipped }: Outcome, seconds: number): string => {
  const counts = isCheck ? (failed ? 'failed' : 'ok') : `${passed} passed, ${failed} failed, ${skipped} skipped`;
  return `  ${name.padEnd(14)}${counts.padEnd(40)}${seconds.toFixed(1).padStart(6)} s`;
};

const lines: string[] = [];
const outcomes: Outcome[] = [];
for (const suite of suites.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const start = performance.now();
  const outcome = await runSuite(suite);
  outcomes.push(outcome);
  lines.push(summarize(suite, outcome, (performance.now() - start) / 1000));
}

const { passed, failed, skipped, notes } = addUp(outcomes);
console.log(`\n${lines.join('\n')}`);
console.log(
  notes.length > 0
    ? `\nSkipped or unstable:\n${notes.map((note) => `  ${note}`).join('\n')}`
    : '\nNothing was skipped.',
);
if (passed + failed === 0) console.log('\nNo test ran at all, which is a failure.');
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
