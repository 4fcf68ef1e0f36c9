import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { AppContext } from '../../server/app-context.ts';
import type { Db } from '../../server/db/pools.ts';
import type { UserRow } from '../../server/db/rows.ts';
import { withDatabase } from '../../server/db/transaction.ts';
import type { AuditContext } from '../../server/features/audit/repository.ts';
import type { OperatorActor } from '../../server/policy.ts';
import { addCommand, addMutationOptions, type CommandSpec, isId, type MutationOptions } from './arguments.ts';
import type { Cli } from './cli.ts';
import { withWritableContext } from './context.ts';
import { CliError, EXIT, toCliError, usageError } from './errors.ts';
import { readStdin } from './prompts.ts';

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

const readFileWords = (file: string): Promise<string[]> =>
  readFile(file, 'utf8').then(toWords, (error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.notFound, `${file} cannot be read: ${error.code}`);
  });

export async function readTargets(cli: Cli, given: readonly string[], fromFile?: string): Promise<string[]> {
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

type Work = (ctx: AppContext, target: string) => Promise<Pick<TargetResult, 'id' | 'result'>>;

/** A dry run is one transaction, so each target takes a savepoint: after a failure the next ones still work. */
const workOnTarget = (ctx: AppContext, target: string, work: Work): ReturnType<Work> =>
  ctx.db.isTransaction ? ctx.db.transaction((trx) => work(withDatabase(ctx, trx), target)) : work(ctx, target);

/**
 * Runs the work for each target in its own transaction. Exits with the code of a single failed target, with 9 if some
 * of several fail. Ctrl-C stops between two targets.
 */
export async function runBatch(cli: Cli, ctx: AppContext, targets: readonly string[], work: Work): Promise<void> {
  const results: TargetResult[] = [];
  const failures: CliError[] = [];
  for (const target of targets) {
    if (cli.signal.aborted) break;
    try {
      results.push({ error: null, ...(await workOnTarget(ctx, target, work)), target });
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

interface DeleteOptions extends MutationOptions {
  fromFile?: string;
}

interface Deletion extends CommandSpec {
  thing: string;
  /** Throws not_found. */
  remove: (ctx: AppContext, actor: OperatorActor, id: string, audit: AuditContext) => Promise<void>;
}

export function addDelete(noun: Command, cli: Cli, { thing, remove, ...spec }: Deletion): void {
  const question = (ids: readonly string[]) =>
    `Delete ${ids.length === 1 ? `${thing} ${ids[0]}` : `${ids.length} ${thing}s`} for ever?`;
  addMutationOptions(addCommand(noun, 'delete <id...>', spec), { asks: true })
    .option('--from-file <file>', 'read ids from this file')
    .action(async (given: string[], { fromFile, yes, dryRun, reason }: DeleteOptions) => {
      const ids = await readTargets(cli, given, fromFile);
      await cli.confirm(question(ids), yes || dryRun);
      await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        runBatch(cli, ctx, ids, async (ctx, id) => {
          if (!isId(id)) throw new CliError(EXIT.notFound, `There is no ${thing} ${id}.`);
          await remove(ctx, actor, id, { reason });
          return { id, result: 'deleted' };
        }),
      );
    });
}
