import type { AppContext } from '../../server/app-context.ts';
import type { Config } from '../../server/config/load.ts';
import { parsePostgresUrl } from '../../server/config/values.ts';
import type { OperatorActor } from '../../server/policy.ts';
import type { Cli } from './cli.ts';
import { CliError, EXIT, toCliError, usageError } from './errors.ts';

const NO_TIMEOUT = 0;
/** Milliseconds. Longer than for a request: on a busy machine a connection may take long to open. */
const CONNECT_TIMEOUT = 30_000;

const isDatabaseNamed = (env: ReturnType<Cli['environment']>): boolean =>
  Boolean(env.DATABASE_URL || env.DATABASE_URL_FILE);

export async function withConfig<T>(cli: Cli, work: (config: Config) => Promise<T>): Promise<T> {
  const { readConfig } = await import('../../server/config/load.ts');
  const env = cli.environment();
  if (isDatabaseNamed(env) || !cli.openDatabase) return work(readConfig(env, ['database']));
  readConfig({ ...env, DATABASE_URL: 'postgres://localhost/unknown' }, ['database']);
  const database = await cli.openDatabase();
  try {
    return await work(readConfig({ ...database.env, ...env, DATABASE_URL: database.url }, ['database']));
  } finally {
    await database.close();
  }
}

const nameDatabase = (thrown: unknown, url: string): unknown => {
  const error = toCliError(thrown);
  if (error.exitCode !== EXIT.unreachable) return thrown;
  const { username, hostname, port, pathname, searchParams } = parsePostgresUrl(url);
  const host = searchParams.get('host') ?? `${hostname}:${port || 5432}`;
  const where = `database ${pathname.slice(1)} on ${host} as ${username || 'the default user'}`;
  return new CliError(error.exitCode, `${error.message}\nIt was ${where}.`, 'Does it run, and is DATABASE_URL right?');
};

/** Adds the database's URL, without its password, to the error of `work` when the database cannot be reached. */
export const nameDatabaseInErrors = <T>(url: string, work: Promise<T>): Promise<T> =>
  work.catch((thrown: unknown) => {
    throw nameDatabase(thrown, url);
  });

export interface CommandContext {
  ctx: AppContext;
  actor: OperatorActor;
}

/**
 * Refuses to move the clock in production. The offset, in milliseconds, replaces that of CLOCK_OFFSET.
 */
const moveClock = (config: Config, clockOffset: number | undefined): Config => {
  if (clockOffset === undefined) return config;
  if (config.isProduction)
    throw usageError('The clock cannot be moved in production.', 'Restore a backup elsewhere, and try it there.');
  return { ...config, clockOffset };
};

/** `clockOffset`: by how many milliseconds the clock of the command is ahead of the real time. */
export const withContext = <T>(
  cli: Cli,
  work: (acting: CommandContext) => Promise<T>,
  { clockOffset }: { clockOffset?: number | undefined } = {},
): Promise<T> =>
  withConfig(cli, async (given) => {
    const config = moveClock(given, clockOffset);
    const [{ createAppContext }, { createLog }, { operator }] = await Promise.all([
      import('../../server/app-context.ts'),
      import('../../server/observability/log.ts'),
      import('../../server/policy.ts'),
    ]);
    const ctx = createAppContext(config, {
      log: createLog(cli.isVerbose() ? 'debug' : 'error', 2),
      connection: {
        name: 'tradepost marketctl',
        statementTimeout: NO_TIMEOUT,
        acquireTimeout: CONNECT_TIMEOUT,
        poolMax: 3,
      },
    });
    try {
      return await nameDatabaseInErrors(config.databaseUrl, work({ ctx, actor: operator(cli.operatorName()) }));
    } finally {
      await ctx.close();
    }
  });

export const announceDryRun = (cli: Cli, isDryRun: boolean | undefined): boolean => {
  if (isDryRun) cli.say('Dry run: nothing is changed; this would happen:');
  return Boolean(isDryRun);
};

class RolledBack extends Error {}

/**
 * Like withContext, for a command that changes rows. A dry run does the same work in a transaction that is rolled
 * back. `work` prints last, because inTransaction may run it again.
 */
export const withWritableContext = <T>(
  cli: Cli,
  isDryRun: boolean | undefined,
  work: (acting: CommandContext) => Promise<T>,
): Promise<T> =>
  withContext(cli, async ({ ctx, actor }) => {
    if (!announceDryRun(cli, isDryRun)) return work({ ctx, actor });
    const { inTransaction, withDatabase } = await import('../../server/db/transaction.ts');
    let result: T | undefined;
    await inTransaction(ctx.db, async (trx) => {
      result = await work({ ctx: withDatabase(ctx, trx), actor });
      throw new RolledBack();
    }).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    return result as T;
  });
