import type { AppContext } from '../../server/app-context.ts';
import type { Config } from '../../server/config/load.ts';
import { parsePostgresUrl } from '../../server/lib/postgres-url.ts';
import type { OperatorActor } from '../../server/policy.ts';
import type { Cli } from './cli.ts';
import type { OpenDatabase } from './environment.ts';
import { CliError, EXIT, toCliError } from './errors.ts';

/** Long work of an operator is not a request: no statement is cut off. */
const NO_TIMEOUT = 0;
/** Milliseconds: on a machine that is short of processors a connection may take longer to open than a visitor would wait. */
const CONNECTING = 30_000;

const isDatabaseNamed = (env: ReturnType<Cli['environment']>): boolean =>
  Boolean(env.DATABASE_URL || env.DATABASE_URL_FILE);

/** Runs `work` with the configuration; opens the checkout's database where the environment names none. */
export async function withConfig<T>(cli: Cli, work: (config: Config) => Promise<T>): Promise<T> {
  const { readConfig } = await import('../../server/config/load.ts');
  const env = cli.environment();
  // a wrong variable is told before anything is started
  if (isDatabaseNamed(env) || !cli.openDatabase) return work(readConfig(env, ['database']));
  readConfig({ ...env, DATABASE_URL: 'postgres://localhost/unknown' }, ['database']);
  const database: OpenDatabase = await cli.openDatabase();
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

/** A database that cannot be reached is named in the error of `work`, without its password. */
export const naming = <T>(url: string, work: Promise<T>): Promise<T> =>
  work.catch((thrown: unknown) => {
    throw nameDatabase(thrown, url);
  });

/** What an action needs: the ctx and who acts. */
export interface CommandContext {
  ctx: AppContext;
  actor: OperatorActor;
}

/** Opens the ctx for one command and closes it whatever happens. */
export const withContext = <T>(cli: Cli, work: (acting: CommandContext) => Promise<T>): Promise<T> =>
  withConfig(cli, async (config) => {
    const [{ createAppContext }, { createLog }, { operator }] = await Promise.all([
      import('../../server/app-context.ts'),
      import('../../server/observability/log.ts'),
      import('../../server/policy.ts'),
    ]);
    const ctx = createAppContext(config, {
      log: createLog(cli.isVerbose() ? 'debug' : 'error', 2),
      connection: { name: 'tradepost marketctl', statementTimeout: NO_TIMEOUT, acquireTimeout: CONNECTING, poolMax: 3 },
    });
    try {
      return await naming(config.databaseUrl, work({ ctx, actor: operator(cli.operatorName()) }));
    } finally {
      await ctx.close();
    }
  });

/** Says, where it is so, that what follows has not happened. Returns whether it is so. */
export const announceDryRun = (cli: Cli, isDryRun: boolean | undefined): boolean => {
  if (isDryRun) cli.say('Dry run: nothing is changed; this would happen:');
  return Boolean(isDryRun);
};

class RolledBack extends Error {}

/**
 * Like withApp, for a command that changes rows. A dry run does the same work in a transaction that is rolled back, so
 * what it prints is what would have happened; `work` prints last of all, since it may be tried again (inTransaction).
 */
export const withWritableContext = <T>(
  cli: Cli,
  isDryRun: boolean | undefined,
  work: (acting: CommandContext) => Promise<T>,
): Promise<T> =>
  withContext(cli, async ({ ctx, actor }) => {
    if (!announceDryRun(cli, isDryRun)) return work({ ctx, actor });
    const { inTransaction } = await import('../../server/db/transaction.ts');
    let result: T | undefined;
    await inTransaction(ctx.db, async (trx) => {
      result = await work({ ctx: { ...ctx, db: trx, reads: trx }, actor });
      throw new RolledBack();
    }).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    return result as T;
  });
