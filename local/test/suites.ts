import { runPlaywright } from './playwright.ts';
import { runCommand } from './run-command.ts';
import { failure, nothing, type Outcome, type Suite } from './suite.ts';
import { runVitest } from './vitest.ts';

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
