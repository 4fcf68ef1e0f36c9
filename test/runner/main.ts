/**
 * `make test`: every suite, or those named on the command line. Ends with what was skipped or unstable and why, and with the line
 * `N passed, N failed`. The exit code is 1 if anything failed or if no test ran at all.
 */
import { addUp, failure, type Outcome, type Suite, steps } from './runner.ts';

const names = process.argv.slice(2);
const known = steps.flat().map(({ name }) => name);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No suite "${unknown.join('", "')}". There are: ${known.join(', ')}.`);
  process.exit(2);
}

interface Run {
  suite: Suite;
  outcome: Outcome;
  seconds: number;
}

const runSuite = async (suite: Suite): Promise<Run> => {
  console.log(`\n=== ${suite.name}`);
  const start = performance.now();
  const end = (outcome: Outcome): Run => ({ suite, outcome, seconds: (performance.now() - start) / 1000 });
  try {
    return end(await suite.run());
  } catch (error) {
    console.error(error);
    return end(failure());
  }
};

const summarize = ({ suite: { name, isCheck }, outcome: { passed, failed, skipped }, seconds }: Run): string => {
  const counts = isCheck ? (failed ? 'failed' : 'ok') : `${passed} passed, ${failed} failed, ${skipped} skipped`;
  return `  ${name.padEnd(14)}${counts.padEnd(40)}${seconds.toFixed(1).padStart(6)} s`;
};

const isWanted = ({ name }: Suite) => names.length === 0 || names.includes(name);
const runs: Run[] = [];
for (const step of steps) runs.push(...(await Promise.all(step.filter(isWanted).map(runSuite))));

const { passed, failed, skipped, notes } = addUp(runs.map(({ outcome }) => outcome));
console.log(`\n${runs.map(summarize).join('\n')}`);
console.log(
  notes.length > 0
    ? `\nSkipped or unstable:\n${notes.map((note) => `  ${note}`).join('\n')}`
    : '\nNothing was skipped.',
);
if (passed + failed === 0) console.log('\nNo test ran at all, which is a failure.');
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
