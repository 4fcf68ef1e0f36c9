import type { Command } from 'commander';
import { readDatabaseStatus, STATUS_FIELDS } from '../../server/db/pools.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand } from '../framework/command.ts';
import { withContext } from '../framework/context.ts';

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'status', {
    summary: 'Prints version, size, connections and round-trip time of the database',
    examples: [
      ['db status', 'how it is'],
      ['db status -o json --fields connections,maxConnections', 'two numbers for a script'],
    ],
  }).action(() =>
    withContext(cli, async ({ ctx }) => cli.out.record({ fields: STATUS_FIELDS }, await readDatabaseStatus(ctx.db))),
  );
}
