import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AppContext } from '../../server/app-context.ts';
import type { Page } from '../../server/db/pagination.ts';
import type { Db } from '../../server/db/pools.ts';
import type { UserRow } from '../../server/db/rows.ts';
import type { AuditContext } from '../../server/features/audit/repository.ts';
import type { OperatorActor } from '../../server/policy.ts';
import type { Cli } from './cli.ts';
import { type CommandContext, withWritableContext } from './context.ts';
import { CliError, EXIT, refuseUnreadable, toCliError, usageError } from './errors.ts';
import type { Output, RowShape } from './output.ts';
import { readStdin } from './terminal.ts';

export interface MutationOptions {
  dryRun?: boolean;
  yes?: boolean;
  reason?: string;
}

export interface CommandSpec {
  summary: string;
  description?: string;
  /** Command lines without `marketctl`, each with its effect. */
  examples: readonly (readonly [line: string, does: string])[];
  /** Adds --dry-run and --reason; 'after a yes' also adds --yes. */
  changes?: 'at once' | 'after a yes';
  /** Adds --dry-run alone: true for a transaction that is rolled back, otherwise what a dry run does. */
  dryRun?: true | string;
}

const IN_TRANSACTION = 'do it in a transaction that is rolled back, and print what would have changed';

/** Adds `usage` ("ban <user...>") to a noun, with its help and the options that commands share. */
export function addCommand(noun: Command, usage: string, spec: CommandSpec): Command {
  const { summary, description, examples, changes, dryRun = changes && true } = spec;
  const lines = examples.map(([line, does]) => `  # ${does}\n  $ marketctl ${line}`);
  const leaf = noun
    .command(usage)
    .summary(summary)
    .description(description ? `${summary}. ${description}` : summary)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}\n`);
  if (dryRun) leaf.option('-n, --dry-run', dryRun === true ? IN_TRANSACTION : dryRun);
  if (changes) leaf.option('--reason <text>', 'why, for the audit log');
  return changes === 'after a yes' ? leaf.option('-y, --yes', 'go on without asking') : leaf;
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

export const parseDuration = (value: string): number => {
  const [, number, unit] = /^(\d{1,6})(ms|s|m|h|d|w)$/.exec(value) ?? [];
  if (!number) throw new InvalidArgumentError('Use a duration such as 90s, 10m, 24h or 30d.');
  return Number(number) * UNITS[unit as keyof typeof UNITS];
};

export const parseTime = (value: string): string => {
  if (/^\d+(ms|s|m|h|d|w)$/.test(value)) return new Date(Date.now() - parseDuration(value)).toISOString();
  const time = /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'Use a date such as 2026-11-21, a time such as 2026-11-21T04:00Z, or 7d for 7 days ago.',
    );
  return time.toISOString();
};

export const parseWhole =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d{1,10}$/.test(value) || number < min || number > max)
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
    return number;
  };

export interface PageOptions {
  limit: number;
  cursor?: string;
  all?: boolean;
}

export const addPageOptions = (leaf: Command): Command =>
  leaf
    .addOption(new Option('--limit <n>', 'rows of a page').argParser(parseWhole(1, 100)).default(50))
    .option('--cursor <cursor>', 'where the page starts: from the line that the page before ended with')
    .option('--all', 'every page');

export const isId = (id: string): boolean => /^[1-9]\d{0,18}$/.test(id) && BigInt(id) < 2n ** 63n;

export async function printPages<T extends object>(
  cli: Cli,
  shape: RowShape<T>,
  options: PageOptions,
  list: (page: { cursor: string | undefined; limit: number }) => Promise<Page<T>>,
  out: Output = cli.out,
): Promise<void> {
  const { limit, all } = options;
  let next: string | null = options.cursor ?? null;
  async function* followPages(): AsyncIterable<T> {
    do {
      const page = await list({ cursor: next ?? undefined, limit });
      yield* page.rows;
      next = page.nextCursor;
    } while (all && next !== null);
  }
  const count = await out.rows(shape, followPages());
  if (count === 0) cli.say('Nothing found.');
  if (next !== null) cli.say(`More: add --cursor ${next}, or --all`);
}

/** The user with this id or @handle. Exits with code 5 when there is none. */
export async function getUser(db: Db, idOrHandle: string): Promise<UserRow> {
  const { findUser, findUserByHandle } = await import('../../server/features/users/repository.ts');
  const user = isId(idOrHandle)
    ? await findUser(db, idOrHandle)
    : await findUserByHandle(db, idOrHandle.replace(/^@/, ''));
  if (!user) throw new CliError(EXIT.notFound, `There is no user ${idOrHandle}.`);
  return user;
}

const toWords = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const readFileWords = (file: string): Promise<string[]> => readFile(file, 'utf8').then(toWords, refuseUnreadable(file));

async function readTargets(cli: Cli, given: readonly string[], fromFile?: string): Promise<string[]> {
  const fromStdin = given.includes('-') || fromFile === '-' ? toWords(await readStdin(cli)) : [];
  const inFile = fromFile !== undefined && fromFile !== '-' ? await readFileWords(fromFile) : [];
  const targets = [...new Set([...given.filter((word) => word !== '-'), ...fromStdin, ...inFile])];
  if (targets.length === 0)
    throw usageError('Nothing is named.', 'Name them, or give - to read them from standard input.');
  return targets;
}

export interface TargetResult {
  id: string | null;
  target: string;
  result: string;
  error: string | null;
}

export const TARGETS = { fields: ['id', 'target', 'result', 'error'], table: ['target', 'result', 'error'] };

type Work = (acting: CommandContext, target: string) => Promise<Pick<TargetResult, 'id' | 'result'>>;

/** A dry run is one transaction, so each target takes a savepoint: after a failure the next ones still work. */
const workOnTarget = async ({ ctx, actor }: CommandContext, target: string, work: Work): ReturnType<Work> => {
  if (!ctx.db.isTransaction) return work({ ctx, actor }, target);
  const { withDatabase } = await import('../../server/db/transaction.ts');
  return ctx.db.transaction((trx) => work({ ctx: withDatabase(ctx, trx), actor }, target));
};

export interface BatchOptions extends MutationOptions {
  fromFile?: string;
}

interface Batch {
  given: readonly string[];
  options: BatchOptions;
  /** What is to be confirmed; nothing for undefined. */
  question: (targets: readonly string[]) => string | undefined;
}

/** Asks before more than one user changes. */
export const askIfSeveral =
  (verb: string) =>
  ({ length }: readonly string[]): string | undefined =>
    length > 1 ? `${verb} ${length} users?` : undefined;

/**
 * Runs the work for each target in its own transaction: for the given ones, for "-" those on standard input, and those
 * in the file of --from-file. Exits with the code of a single failed target, with 9 if some of several fail. Ctrl-C
 * stops between two targets.
 */
export async function runBatch(cli: Cli, { given, options, question }: Batch, work: Work): Promise<void> {
  const targets = await readTargets(cli, given, options.fromFile);
  const asked = question(targets);
  if (asked) await cli.confirm(asked, options.yes || options.dryRun);
  await withWritableContext(cli, options.dryRun, (acting) => workOnAll(cli, acting, targets, work));
}

async function workOnAll(cli: Cli, acting: CommandContext, targets: readonly string[], work: Work): Promise<void> {
  const results: TargetResult[] = [];
  const failures: CliError[] = [];
  for (const target of targets) {
    if (cli.signal.aborted) break;
    try {
      results.push({ error: null, ...(await workOnTarget(acting, target, work)), target });
    } catch (thrown) {
      const error = toCliError(thrown);
      // An invalid target does not stop the batch; a lost database does.
      if (error.exitCode !== EXIT.notFound && error.exitCode !== EXIT.conflict) throw thrown;
      failures.push(error);
      results.push({ id: null, target, result: 'failed', error: error.message });
    }
  }
  // On a screen the error below is enough for a single target; --quiet prints the ids that succeeded.
  const isWanted = ({ error }: TargetResult) =>
    error === null || !(cli.isQuiet() || (cli.isTable() && targets.length === 1));
  await cli.out.rows(TARGETS, results.filter(isWanted));
  if (cli.signal.aborted && results.length < targets.length)
    throw new CliError(EXIT.interrupted, `Interrupted after ${results.length} of ${targets.length}; those are done.`);
  if (failures.length === 0) return;
  if (targets.length === 1) throw failures[0]!;
  throw new CliError(EXIT.partial, `${failures.length} of ${targets.length} failed.`);
}

interface Deletion extends CommandSpec {
  thing: string;
  /** Throws not_found. */
  remove: (ctx: AppContext, actor: OperatorActor, id: string, audit: AuditContext) => Promise<void>;
}

export function addDelete(noun: Command, cli: Cli, { thing, remove, ...spec }: Deletion): void {
  const question = (ids: readonly string[]) =>
    `Delete ${ids.length === 1 ? `${thing} ${ids[0]}` : `${ids.length} ${thing}s`} for ever?`;
  addCommand(noun, 'delete <id...>', { ...spec, changes: 'after a yes' })
    .option('--from-file <file>', 'read ids from this file')
    .action((given: string[], options: BatchOptions) =>
      runBatch(cli, { given, options, question }, async ({ ctx, actor }, id) => {
        if (!isId(id)) throw new CliError(EXIT.notFound, `There is no ${thing} ${id}.`);
        await remove(ctx, actor, id, { reason: options.reason });
        return { id, result: 'deleted' };
      }),
    );
}
