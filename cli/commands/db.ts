import type { Command } from 'commander';
import { addCommand } from '../framework/arguments.ts';
import type { Cli } from '../framework/cli.ts';
import { withContext } from '../framework/with-app.ts';

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'status', {
    summary: 'Prints version, size, connections and round-trip time of the database',
    examples: [
      ['db status', 'how it is'],
      ['db status -o json --fields connections,maxConnections', 'two numbers for a script'],
    ],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      const { readDatabaseStatus, STATUS_FIELDS } = await import('../../server/db/status.ts');
      await cli.out.record({ fields: STATUS_FIELDS }, await readDatabaseStatus(ctx.db));
    }),
  );
}
