import { readFile } from 'node:fs/promises';
import type { AppContext } from '../../server/app-context.ts';
import type { Cli } from './cli.ts';
import { CliError, EXIT, toCliError, usageError } from './errors.ts';
import type { Row } from './output.ts';

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const readAll = async ({ stdin }: Cli): Promise<string> => {
  let text = '';
  for await (const chunk of stdin) text += chunk;
  return text;
};

const readFileWords = (file: string): Promise<string[]> =>
  readFile(file, 'utf8').then(words, (error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.notFound, `${file} cannot be read: ${error.code}`);
  });

/** The things named on the command line, in --from-file FILE, or on standard input where - stands for them. */
export async function readTargets(cli: Cli, given: readonly string[], fromFile?: string): Promise<string[]> {
  const fromStdin = given.includes('-') || fromFile === '-' ? words(await readAll(cli)) : [];
  const inFile = fromFile !== undefined && fromFile !== '-' ? await readFileWords(fromFile) : [];
  const targets = [...new Set([...given.filter((word) => word !== '-'), ...fromStdin, ...inFile])];
  if (targets.length === 0)
    throw usageError('Nothing is named.', 'Name them, or give - to read them from standard input.');
  return targets;
}

interface Result extends Row {
  target: string;
  result: string;
  error: string | null;
}

/** What is printed of each target. */
export const TARGETS = { fields: ['id', 'target', 'result', 'error'], table: ['target', 'result', 'error'] };

type Work = (ctx: AppContext, target: string) => Promise<{ id: string; result: string } & Row>;

/** In a dry run, which is one transaction, a target that fails takes back what it wrote and leaves the next ones theirs. */
const workApart = (ctx: AppContext, target: string, work: Work): ReturnType<Work> =>
  ctx.db.isTransaction ? ctx.db.transaction((trx) => work({ ...ctx, db: trx, reads: trx }, target)) : work(ctx, target);

/**
 * Does the same to each target, each in a transaction of its own, and prints a result for each. One target that fails
 * ends with its own exit code, some of several with 9. Ctrl-C stops between two.
 */
export async function runBatch(cli: Cli, ctx: AppContext, targets: readonly string[], work: Work): Promise<void> {
  const results: Result[] = [];
  const failures: CliError[] = [];
  for (const target of targets) {
    if (cli.signal.aborted) break;
    try {
      results.push({ error: null, ...(await workApart(ctx, target, work)), target });
    } catch (thrown) {
      const error = toCliError(thrown);
      // one that is wrong is no reason to stop; a database that is gone is
      if (error.exitCode !== EXIT.notFound && error.exitCode !== EXIT.conflict) throw thrown;
      failures.push(error);
      results.push({ id: null, target, result: 'failed', error: error.message });
    }
  }
  // people read of the failure of a single one below, and have no use for the ids of those that failed
  const isWanted = ({ error }: Result) => error === null || !(cli.isQuiet() || (cli.isTable() && targets.length === 1));
  await cli.out.rows(TARGETS, results.filter(isWanted));
  if (cli.signal.aborted && results.length < targets.length)
    throw new CliError(EXIT.interrupted, `Interrupted after ${results.length} of ${targets.length}; those are done.`);
  if (failures.length === 0) return;
  if (targets.length === 1) throw failures[0]!;
  throw new CliError(EXIT.partial, `${failures.length} of ${targets.length} failed.`);
}
