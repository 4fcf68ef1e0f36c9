import type { Command } from 'commander';
import type { AppContext } from '../../server/app-context.ts';
import type { OperatorActor } from '../../server/policy.ts';
import { addCommand, addMutationOptions, type CommandSpec, type MutationOptions } from './arguments.ts';
import { readTargets, runBatch } from './batch.ts';
import type { Cli } from './cli.ts';
import { CliError, EXIT } from './errors.ts';
import { isId } from './row-id.ts';
import { withWritableContext } from './with-app.ts';

interface DeleteOptions extends MutationOptions {
  fromFile?: string;
}

interface Deletion extends CommandSpec {
  /** What is deleted, as one says it: "ad". */
  thing: string;
  /** Throws not_found where there is none. */
  remove: (ctx: AppContext, actor: OperatorActor, id: string, about: { reason?: string | undefined }) => Promise<void>;
}

/** Adds `delete <id...>`: asks once for all of them, then deletes each in a transaction of its own. */
export function addDelete(noun: Command, cli: Cli, { thing, remove, ...leaf }: Deletion): void {
  const question = (ids: readonly string[]) =>
    `Delete ${ids.length === 1 ? `${thing} ${ids[0]}` : `${ids.length} ${thing}s`} for ever?`;
  addMutationOptions(addCommand(noun, 'delete <id...>', leaf), { asks: true })
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
