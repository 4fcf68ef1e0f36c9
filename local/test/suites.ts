import { runPlaywright } from './playwright.ts';
import { runCommand } from './run-command.ts';
import { failure, nothing, type Outcome, type Suite } from './suite.ts';
import { runVitest } from './vitest.ts';

const check = (name: string, command: string): Suite => ({
  name,
  isCheck: true,
  run: async () => ((await runCommand(command)) ? nothing() : failure()),
});

const vitest = (name: string): Suite => ({ name, run: () => runVitest(name) });

/** Images and stacks of containers take minutes: in CI, or when asked for by name. */
const runDocker = (): Promise<Outcome> | Outcome =>
  process.env.CI || process.argv.includes('docker')
    ? runVitest('docker', 'test/docker/vitest.config.ts')
    : nothing(['docker: `make docker-test` runs it, and CI']);

/** Needs a load tool. Fails only where something is far below what is promised, in ratios of one run. */
const runBench = async (): Promise<Outcome> => {
  if (!(await runCommand('make --silent wrk'))) return nothing(['bench: no wrk here, and none to be had']);
  if (await runCommand('make --silent bench-quick')) return nothing();
  // Somebody else's minute of work on the machine is no slowness of ours; two in a row are looked into.
  if (!(await runCommand('make --silent bench-quick'))) return failure();
  return nothing(['UNSTABLE: bench-quick fell far short, and did not when run again']);
};

/** Everything `make test` runs, in this order: what fails fastest comes first. */
export const suites: Suite[] = [
  check('types', 'npm run --silent types'),
  check('lint', 'npm run --silent lint'),
  check('import rules', 'npm run --silent deps'),
  check('dead code', 'knip'),
  check('bundle budget', 'npm run --silent budget'),
  vitest('unit'),
  vitest('web'),
  vitest('http'),
  vitest('local'),
  { name: 'e2e', run: runPlaywright },
  { name: 'chart', run: () => runVitest('chart', 'test/chart/vitest.config.ts') },
  { name: 'docker', run: runDocker },
  { name: 'bench', isCheck: true, run: runBench },
];
