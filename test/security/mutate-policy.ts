/**
 * Removes every condition of server/policy.ts and every guard of guards.ts, one at a time, and runs the HTTP tests
 * against each: `node test/security/mutate-policy.ts [parts of rules' names]`. Prints a table. Fails if the tests miss
 * a mutant. The test file that noticed a mutant last time (noticed-by.json) runs first, and all others if it passes: the
 * table saves time and decides nothing. Each run updates it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createVitest, type Reporter, type TestSpecification } from 'vitest/node';
import { GUARDS } from './guards.ts';
import { findGuard, listConditions, type Mutant } from './mutants.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const POLICY = 'server/policy.ts';
const NOTICED_BY = new URL('noticed-by.json', import.meta.url);

interface Named extends Mutant {
  name: string;
}

const read = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');

const policyMutants = (): Named[] =>
  listConditions(read(POLICY)).map(({ rule, text, from, to }) => ({
    name: `${rule}: ${text.replace(/\s+/g, ' ')}`,
    file: POLICY,
    from,
    to,
    replacement: rule === 'isLastAdmin' ? 'false' : 'true',
  }));

const guardMutants = (): Named[] =>
  GUARDS.map((guard) => {
    const mutant = findGuard(guard);
    const feature = mutant.file.replace('server/features/', '');
    return { ...mutant, name: `${feature}: ${guard.in}: ${guard.guard.replace(/\s+/g, ' ')}` };
  });

interface Failure {
  file: string;
  test: string;
  message: string;
}

/** What the present run of tests has seen. */
let failures: Failure[] = [];
let errors: string[] = [];
let mutant: Mutant | undefined;
let isApplied = false;

const reporter: Reporter = {
  onTestCaseResult: (test) => {
    const { state, errors: [error] = [] } = test.result();
    if (state !== 'failed') return;
    failures.push({ file: test.module.relativeModuleId, test: test.fullName, message: error?.message ?? '' });
  },
  onTestModuleEnd: (module) => {
    errors.push(...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`));
  },
  onTestRunEnd: (_, unhandled) => {
    errors.push(...unhandled.map(({ message }) => message));
  },
};

const vitest = await createVitest(
  'test',
  {
    config: false,
    root: ROOT,
    watch: false,
    reporters: [reporter],
    // A cache would serve one mutant to all other runs.
    fsModuleCache: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    bail: 1,
    maxWorkers: 2,
    include: ['server/**/*.http.test.ts', 'test/security/**/*.http.test.ts'],
    globalSetup: 'test/harness/global-setup.ts',
  },
  {
    plugins: [
      {
        name: 'mutate',
        enforce: 'pre',
        transform: (code, id) => {
          if (!mutant || id.split('?')[0] !== `${ROOT}${mutant.file}`) return undefined;
          if (code !== read(mutant.file)) throw new Error(`${mutant.file} reached the mutation changed`);
          isApplied = true;
          return { code: code.slice(0, mutant.from) + mutant.replacement + code.slice(mutant.to), map: null };
        },
      },
    ],
  },
);

/** Returns the first failure. Throws if something other than a test fails: a lost database notices nothing. */
const runTests = async (tests: TestSpecification[]): Promise<Failure | undefined> => {
  failures = [];
  errors = [];
  await vitest.runTestSpecifications(tests);
  if (!failures[0] && errors[0]) throw new Error(`the tests did not run: ${errors[0]}`);
  return failures[0];
};

const noticedBy = new Map<string, string>(Object.entries(JSON.parse(readFileSync(NOTICED_BY, 'utf8'))));

/** Returns a test whose file fails twice, if any does: on a busy machine some fail once, and then the others go on. */
const findFailure = async (tests: TestSpecification[]): Promise<Failure | undefined> => {
  const failure = await runTests(tests);
  if (!failure) return undefined;
  const isIn = ({ moduleId }: TestSpecification) => moduleId === `${ROOT}${failure.file}`;
  if (await runTests(tests.filter(isIn))) return failure;
  console.log(`unstable     ${failure.file} > ${failure.test}\n             ${failure.message}`);
  return findFailure(tests.filter((spec) => !isIn(spec)));
};

const isChecked = new Set<string>();

/** Without any change no test fails: else its failure would prove nothing. Each file is tried once. */
const checkUntouched = async (tests: TestSpecification[]): Promise<void> => {
  const unknown = tests.filter(({ moduleId }) => !isChecked.has(moduleId));
  const failure = unknown.length > 0 ? await findFailure(unknown) : undefined;
  if (failure) throw new Error(`without any change this fails already: ${Object.values(failure).join(': ')}`);
  for (const { moduleId } of unknown) isChecked.add(moduleId);
};

/** Returns a test that fails without the condition, if any of these does. */
const findNotice = async ({ name, ...next }: Named, tests: TestSpecification[]): Promise<Failure | undefined> => {
  if (tests.length === 0) return undefined;
  await checkUntouched(tests);
  mutant = next;
  isApplied = false;
  vitest.invalidateFile(`${ROOT}${next.file}`);
  try {
    const failure = await findFailure(tests);
    if (!isApplied) throw new Error(`no test of ${name} loads ${next.file}`);
    return failure;
  } finally {
    mutant = undefined;
    vitest.invalidateFile(`${ROOT}${next.file}`);
  }
};

/** The file that noticed it last time runs first, and all others if it passes. */
const tryMutant = async (next: Named, tests: TestSpecification[]): Promise<Failure | undefined> => {
  const isLikely = ({ moduleId }: TestSpecification) => moduleId === `${ROOT}${noticedBy.get(next.name)}`;
  const likely = await findNotice(next, tests.filter(isLikely));
  if (likely) return likely;
  return findNotice(
    next,
    tests.filter((spec) => !isLikely(spec)),
  );
};

const only = process.argv.length > 2 ? process.argv.slice(2) : [''];
const mutants = [...policyMutants(), ...guardMutants()];

const saveTable = (): void => {
  const rows = mutants.flatMap(({ name }) => (noticedBy.has(name) ? [[name, noticedBy.get(name)]] : []));
  writeFileSync(NOTICED_BY, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
};

try {
  const tests = await vitest.globTestSpecifications();
  const chosen = mutants.filter(({ name }) => only.some((part) => name.includes(part)));
  const survivors: string[] = [];
  for (const next of chosen) {
    const failure = await tryMutant(next, tests);
    if (failure) noticedBy.set(next.name, failure.file);
    else survivors.push(next.name);
    saveTable();
    console.log(`${failure ? 'noticed    ' : 'NOT NOTICED'}  ${next.name}`);
    if (failure)
      console.log(`             by ${failure.file} > ${failure.test}\n             ${failure.message.split('\n')[0]}`);
  }
  console.log(`${chosen.length - survivors.length} of ${chosen.length} noticed`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
} finally {
  await vitest.close();
}
