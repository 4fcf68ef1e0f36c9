/**
 * Removes every condition of server/policy.ts and every guard of guards.ts, one at a time, and runs the HTTP tests
 * against each: `node test/security/mutate-policy.ts [part of a rule's name]`. Prints a table. Fails if the tests miss
 * a mutant. The tests most likely to fail run first, and the others only if those pass.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { openPostgresServer } from '../harness/postgres-server.ts';
import { GUARDS } from './guards.ts';
import { findGuard, listConditions, type Mutant } from './mutants.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const POLICY = 'server/policy.ts';

interface Named extends Mutant {
  name: string;
}

const LIKELIEST: [RegExp, string][] = [
  [/^(isAdmin|mayCall|mayRemoveUser|isLastAdmin|mayModerateAds|isStaff|mayActOn)\b/, 'server/features/admin/'],
  [/^(isSuspended|isShutOut|mayCallSuspended)\b/, 'server/features/account/'],
  [/^(isSelf|maySeePrivate|maySeeHidden|maySeeProfile)\b/, 'server/features/sellers/'],
  [/^(mayActOn|maySeeCase)\b/, 'server/features/reports/'],
  [/Conversation\b|event-streams/, 'server/features/messages/'],
  [/^maySeeOffer\b/, 'server/features/offers/'],
  [/viewerId/, 'server/features/blocks/'],
  [/^deals\/|^maySeeOffer\b/, 'server/features/offers/'],
  [/^ads\/presenter.*reserved_for|findNewestDeal/, 'server/features/sales/'],
  [/^server\/http\//, 'server/http/'],
];

const FEATURE =
  /^(account|ads|favorites|messages|notifications|offers|push|ratings|reports|sales|saved-searches|sellers)\//;

const likeliestTests = (name: string): string => {
  const feature = FEATURE.exec(name)?.[1] ?? 'ads';
  return LIKELIEST.find(([known]) => known.test(name))?.[1] ?? `server/features/${feature}/`;
};

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

interface Outcome {
  passed: boolean;
  noticedBy: string;
}

const runTests = (databaseUrl: string, mutant: Mutant | undefined, where = ''): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, TEST_DATABASE_URL: databaseUrl, ...(mutant && { MUTANT: JSON.stringify(mutant) }) };
    const args = [
      'run',
      '--config',
      'test/security/mutants.config.ts',
      '--root',
      '.',
      '--reporter',
      'default',
      '--no-color',
      // If the likely tests have moved, all tests run next.
      '--passWithNoTests=true',
      where,
    ];
    execFile(`${ROOT}node_modules/.bin/vitest`, args, { cwd: ROOT, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const noticedBy = /^ FAIL\s+(.+ > .+)$/m.exec(stdout + stderr)?.[1];
      // A lost database connection does not count as a detected mutant.
      if (error && !noticedBy) reject(new Error(`the tests did not run: ${(stdout + stderr).slice(-2000)}`));
      else resolve({ passed: error === null, noticedBy: noticedBy ?? '' });
    });
  });

const only = process.argv[2] ?? '';
const mutants = [...policyMutants(), ...guardMutants()].filter(({ name }) => name.includes(only));
const server = await openPostgresServer();
try {
  const untouched = await runTests(server.url, undefined);
  if (!untouched.passed) throw new Error(`without any change this fails already: ${untouched.noticedBy}`);
  let survivors = 0;
  for (const { name, ...mutant } of mutants) {
    const likely = await runTests(server.url, mutant, likeliestTests(name));
    const { passed, noticedBy } = likely.passed ? await runTests(server.url, mutant) : likely;
    if (passed) survivors++;
    console.log(`${passed ? 'NOT NOTICED' : 'noticed    '}  ${name}${passed ? '' : `\n             by ${noticedBy}`}`);
  }
  console.log(`${mutants.length - survivors} of ${mutants.length} noticed`);
  process.exitCode = survivors === 0 ? 0 : 1;
} finally {
  await server.close();
}
