import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { ENGLISH_LOCALE } from '../../contract/languages.ts';
import { LIMITS } from '../../contract/limits.ts';
import { pluralize } from '../../contract/plural.ts';
import type { AppContext } from '../../server/app-context.ts';
import { ConfigError, readConfig } from '../../server/config/load.ts';
import { isOlder, TESTED_NODE } from '../../server/config/node-version.ts';
import { findNewerMigrations, listMigrations, migrationTarget, toNewerSchemaMessage } from '../../server/db/migrate.ts';
import { type Db, readClock, readDatabaseStatus } from '../../server/db/pools.ts';
import { listSetAside } from '../../server/db/set-aside.ts';
import { listTableHealth } from '../../server/db/table-health.ts';
import { listAdmins } from '../../server/features/auth/repository.ts';
import { listCategories } from '../../server/features/categories/repository.ts';
import { readCurrency } from '../../server/features/currency/repository.ts';
import { findMismatch } from '../../server/features/currency/service.ts';
import { countForgottenPhotos } from '../../server/features/images/photos-repository.ts';
import { hasPlaces } from '../../server/features/places/repository.ts';
import { readWebhookTotals } from '../../server/features/webhooks/deliveries-repository.ts';
import { hasKey } from '../../server/features/webhooks/secrets.ts';
import { listSecretKeys, listWebhooks } from '../../server/features/webhooks/webhooks-repository.ts';
import { countJobs } from '../../server/jobs/queue.ts';
import { isShutOut } from '../../server/policy.ts';
import type { Cli } from '../framework/cli.ts';
import { nameDatabaseInErrors, withContext } from '../framework/context.ts';
import { CliError, EXIT, type ExitCode, toCliError } from '../framework/errors.ts';

type CheckName =
  | ('node' | 'config' | 'database' | 'schema' | 'seed' | 'places' | 'admin' | 'images' | 'jobs' | 'rows' | 'tables')
  | ('clock' | 'proxy' | 'currency' | 'webhooks');

interface CheckResult {
  check: CheckName;
  status: 'pass' | 'warn' | 'fail' | 'skip';
  detail: string;
  advice: string | null;
}

type Finding = Omit<CheckResult, 'check'>;

const pass = (detail: string): Finding => ({ status: 'pass', detail, advice: null });
const warn = (detail: string, advice: string): Finding => ({ status: 'warn', detail, advice });
const fail = (detail: string, advice: string): Finding => ({ status: 'fail', detail, advice });

const checkConfig = async (cli: Cli): Promise<Finding> => {
  try {
    readConfig(cli.environment());
    return pass('every variable is valid');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail(error.problems.join('; '), 'docs/CONFIGURATION.md says what each variable may be');
  }
};

const checkNode = async (): Promise<Finding> => {
  const { node } = process.versions;
  return isOlder(node, TESTED_NODE)
    ? warn(`Node.js ${node}`, `this release was tested on ${TESTED_NODE} or newer: build the image with --pull`)
    : pass(`Node.js ${node}`);
};

const checkDatabase = async ({ db, config }: AppContext): Promise<Finding> => {
  const status = await nameDatabaseInErrors(config.databaseUrl, readDatabaseStatus(db));
  const { version, latencyMs, connections, maxConnections } = status;
  const detail = `PostgreSQL ${version}, ${latencyMs} ms, ${connections} of ${maxConnections} connections`;
  if (Number.parseInt(String(version), 10) < 15) return fail(detail, 'PostgreSQL 15 or newer is needed');
  const isFull = Number(connections) > Number(maxConnections) * 0.9;
  return isFull ? warn(detail, 'lower DATABASE_POOL_MAX or raise max_connections') : pass(detail);
};

const checkSchema = async ({ config }: AppContext): Promise<Finding> => {
  const migrations = await listMigrations(migrationTarget(config));
  const newer = findNewerMigrations(migrations);
  if (newer.length > 0) return pass(toNewerSchemaMessage(newer));
  const pending = migrations.filter(({ appliedAt }) => appliedAt === null);
  return pending.length === 0
    ? pass('every migration is applied')
    : fail(pluralize(pending.length, 'pending migration'), 'marketctl migrate up');
};

const checkCurrency = async ({ db, config }: AppContext): Promise<Finding> => {
  const stored = await readCurrency(db);
  const { code } = config.currency;
  const mismatch = stored && findMismatch(stored, code);
  return mismatch
    ? fail(mismatch, 'servers do not start until then')
    : pass(`all amounts are in ${stored?.code ?? code}`);
};

const checkSeed = async ({ db }: AppContext): Promise<Finding> => {
  const enabled = (await listCategories(db)).filter((category) => !category.is_disabled).length;
  return enabled > 0
    ? pass(pluralize(enabled, 'category', 'categories'))
    : fail('no categories: ads cannot be posted', 'marketctl seed categories');
};

const checkPlaces = async ({ db }: AppContext): Promise<Finding> =>
  (await hasPlaces(db))
    ? pass('there are places')
    : warn(
        'no places: ads cannot be found by distance',
        'wait a minute while a server loads them, or: marketctl seed places',
      );

const checkAdmin = async ({ db, clock }: AppContext): Promise<Finding> => {
  const active = (await listAdmins(db)).filter((admin) => !isShutOut(admin, clock.now()) && !admin.disabled_at).length;
  return active > 0
    ? pass(pluralize(active, 'administrator'))
    : warn('no administrator', 'marketctl admin create NAME');
};

/** The clean-up deletes photos that no ad shows; a job then deletes their images. */
const checkPhotos = async (db: Db, detail: string): Promise<Finding> => {
  const forgotten = await countForgottenPhotos(db);
  return forgotten === 0
    ? pass(detail)
    : warn(
        `${detail}; ${pluralize(forgotten, 'uploaded photo')} kept for more than ${LIMITS.photoHours} hours`,
        'a server deletes them every hour; now: marketctl jobs run clean-up',
      );
};

const checkImages = async ({ db, imageStore }: AppContext): Promise<Finding> => {
  const key = { sha256: randomBytes(32).toString('hex'), variant: 'full' as const };
  const bytes = Buffer.from('probe');
  if (imageStore.kind === 'database') {
    await imageStore.get(key);
    return checkPhotos(db, 'images are in the database');
  }
  await imageStore.put([{ ...key, bytes }]);
  const isSame = (await imageStore.get(key))?.equals(bytes);
  await imageStore.delete(key.sha256);
  return isSame
    ? checkPhotos(db, `the ${imageStore.kind} store takes and gives`)
    : fail('the store gives something else back', 'check its settings');
};

const checkJobs = async ({ db }: AppContext): Promise<Finding> => {
  const { waiting, late, failed } = await countJobs(db);
  if (late > 0)
    return warn(
      `${pluralize(late, 'job')} late by ten minutes or more`,
      'is a server or "marketctl jobs run --daemon" running?',
    );
  return failed > 0
    ? warn(pluralize(failed, 'failed job'), 'marketctl jobs list --state failed')
    : pass(pluralize(waiting, 'waiting job'));
};

const LATE_SECONDS = 600;

/** Receivers of people that fail are no matter of the operator; those of the marketplace are. */
const checkWebhooks = async ({ db, config }: AppContext): Promise<Finding> => {
  const { webhooksOn, webhooksFailing, webhooksGivenUp, webhookSecondsLate } = await readWebhookTotals(db);
  const keys = await listSecretKeys(db);
  const unreadable = keys.filter(({ keyId }) => !hasKey(config, keyId)).reduce((sum, { count }) => sum + count, 0);
  if (unreadable > 0)
    return warn(
      `the secrets of ${pluralize(unreadable, 'webhook')} cannot be read`,
      'put the key of before into TOKEN_ENC_KEY again, behind the new one',
    );
  if (webhookSecondsLate >= LATE_SECONDS)
    return warn(
      `a delivery has been due for ${pluralize(Math.floor(webhookSecondsLate / 60), 'minute')}`,
      'is a server running? Now: marketctl jobs run send-webhooks',
    );
  const ours = (await listWebhooks(db, null)).filter((webhook) =>
    webhook.is_on ? webhook.failing_since !== null : webhook.off_reason !== 'owner',
  );
  if (ours.length > 0)
    return warn(
      `webhooks of the marketplace that fail: ${nameSome(ours.map(({ id, host }) => `${id} (${host})`))}`,
      `marketctl webhook deliveries ${ours[0]!.id}`,
    );
  return pass(`${pluralize(webhooksOn, 'webhook')} on, ${webhooksFailing} failing, ${webhooksGivenUp} given up`);
};

const SHOWN = 3;
const nameSome = (names: readonly string[]): string =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join('; ')} and ${names.length - SHOWN} more` : names.join('; ');

/** Rows that pipelines have set aside, because they always fail. */
const checkRows = async ({ db }: AppContext): Promise<Finding> => {
  const rows = await listSetAside(db, 1000);
  if (rows.length === 0) return pass('no row is set aside');
  const named = nameSome(rows.map(({ pipeline, subject, error }) => `${pipeline} ${subject} (${error})`));
  return warn(
    `${pluralize(rows.length, 'row')} set aside: ${named}`,
    'each is tried again by itself; report what fails for days',
  );
};

const BIG_TABLE = 100_000;
const DEAD_SHARE = 0.2;
const FAST_GROWTH = 300_000;

const checkTables = async ({ db, config }: AppContext): Promise<Finding> => {
  const tables = await listTableHealth(db);
  const bloated = tables.filter(({ rows, dead }) => rows + dead >= BIG_TABLE && dead > DEAD_SHARE * (rows + dead));
  const growing = tables.filter(({ growth }) => growth > FAST_GROWTH);
  const problems = [
    ...bloated.map(({ table, rows, dead }) => `${table} has ${Math.round((100 * dead) / (rows + dead))} % dead rows`),
    ...growing.map(
      ({ table, growth }) => `${table} grows by ${Math.round(growth).toLocaleString(ENGLISH_LOCALE)} rows a day`,
    ),
  ];
  const kept = `audit log kept for ${pluralize(config.auditDays, 'day')}, contact messages for ${config.contactDays}`;
  if (problems.length === 0) return pass(`${pluralize(tables.length, 'table')}; ${kept}`);
  return warn(
    problems.join('; '),
    bloated.length > 0
      ? 'look for long transactions, then: VACUUM (ANALYZE) the table'
      : 'find out who writes them: docs/SCALING.md',
  );
};

const checkClock = async ({ db, clock }: AppContext): Promise<Finding> => {
  const before = clock.now().valueOf();
  const theirs = await readClock(db);
  const drift = Math.abs(theirs - (before + clock.now().valueOf()) / 2);
  const detail = `${Math.round(drift)} ms apart from the database's`;
  return drift < 5000 ? pass(detail) : warn(detail, 'set both clocks by NTP: sessions and signatures depend on them');
};

const checkProxy = async ({ config }: AppContext): Promise<Finding> => {
  const detail = `PUBLIC_URL ${config.publicUrl}, TRUST_PROXY_HOPS ${config.trustProxyHops}`;
  return config.isHttps && config.trustProxyHops === 0
    ? warn(detail, 'with a proxy in front, set TRUST_PROXY_HOPS: else all visitors share one rate limit')
    : pass(detail);
};

const DATABASE_CHECKS: Record<Exclude<CheckName, 'node' | 'config'>, (ctx: AppContext) => Promise<Finding>> = {
  database: checkDatabase,
  schema: checkSchema,
  currency: checkCurrency,
  seed: checkSeed,
  places: checkPlaces,
  admin: checkAdmin,
  images: checkImages,
  jobs: checkJobs,
  webhooks: checkWebhooks,
  rows: checkRows,
  tables: checkTables,
  clock: checkClock,
  proxy: checkProxy,
};

const CHECK_NAMES = ['node', 'config', ...(Object.keys(DATABASE_CHECKS) as (keyof typeof DATABASE_CHECKS)[])] as const;

const toFinding = (thrown: unknown): Finding => {
  const { message, hint } = toCliError(thrown);
  return fail(message.replaceAll('\n', ' '), hint ?? 'marketctl config print shows where it looks');
};

const skip = (check: CheckName, detail: string): CheckResult => ({ check, status: 'skip', detail, advice: null });

const runOne = async (check: CheckName, work: () => Promise<Finding>): Promise<CheckResult> => ({
  check,
  ...(await work().catch(toFinding)),
});

/**
 * Runs the checks in order. A check that throws has failed. Without a valid configuration or a database, checks that
 * need them are skipped.
 */
async function runChecks(cli: Cli, names: readonly CheckName[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  if (names.includes('node')) results.push(await runOne('node', checkNode));
  if (names.includes('config')) results.push(await runOne('config', () => checkConfig(cli)));
  const others = names.filter((name) => name !== 'config' && name !== 'node');
  if (others.length === 0) return results;
  try {
    await withContext(cli, async ({ ctx }) => {
      const reachable = await runOne('database', () => checkDatabase(ctx));
      if (others.includes('database') || reachable.status === 'fail') results.push(reachable);
      for (const name of others.filter((other) => other !== 'database'))
        results.push(
          reachable.status === 'fail'
            ? skip(name, 'needs the database')
            : await runOne(name, () => DATABASE_CHECKS[name](ctx)),
        );
    });
  } catch (thrown) {
    const isInvalid = thrown instanceof ConfigError;
    // the configuration check has already reported why there is no context
    if (!(isInvalid && names.includes('config'))) results.push({ check: 'database', ...toFinding(thrown) });
    const missing = others.filter((name) => results.every(({ check }) => check !== name));
    results.push(
      ...missing.map((name) => skip(name, isInvalid ? 'needs a valid configuration' : 'needs the database')),
    );
  }
  return results;
}

const parseOnly = (value: string): CheckName[] => {
  const names = value.split(',');
  const unknown = names.filter((name) => !CHECK_NAMES.includes(name as CheckName));
  if (unknown.length > 0) throw new InvalidArgumentError(`Checks: ${CHECK_NAMES.join(', ')}.`);
  return names as CheckName[];
};

const CODES: Partial<Record<CheckName, ExitCode>> = {
  config: EXIT.config,
  database: EXIT.unreachable,
  images: EXIT.unreachable,
  schema: EXIT.schema,
};

/** The first failure decides, because later ones often follow from it. */
const toExitCode = (failed: CheckResult): ExitCode => CODES[failed.check] ?? EXIT.unexpected;

export function register(noun: Command, cli: Cli): void {
  noun
    .description(
      `Checks what the marketplace needs (${CHECK_NAMES.join(', ')}), and says what to do. Exit code 3, 4, 8 or 1 by the first failure; warnings are no failure.`,
    )
    .option('--only <checks>', 'these only, separated by commas', parseOnly)
    .addHelpText(
      'after',
      '\nExamples:\n  $ marketctl doctor\n  # for a script\n  $ marketctl doctor -o json --only database,schema\n',
    )
    .action(async ({ only }: { only?: CheckName[] }) => {
      const results = await runChecks(cli, only ?? CHECK_NAMES);
      await cli.out.rows({ fields: ['check', 'status', 'detail', 'advice'] }, results);
      const failed = results.filter(({ status }) => status === 'fail');
      if (failed.length > 0)
        throw new CliError(toExitCode(failed[0]!), `${failed.length} of ${results.length} checks failed.`);
      const warnings = results.filter(({ status }) => status === 'warn').length;
      cli.say(warnings > 0 ? `Nothing has failed; ${pluralize(warnings, 'warning')}.` : 'Nothing is wrong.');
    });
}
