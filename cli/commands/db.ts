import type { Command } from 'commander';
import { addLeaf } from '../framework/arguments.ts';
import type { Cli } from '../framework/cli.ts';
import { withApp } from '../framework/with-app.ts';

export function register(noun: Command, cli: Cli): void {
  addLeaf(noun, 'status', {
    summary: 'Prints version, size, connections and round-trip time of the database',
    examples: [
      ['db status', 'how it is'],
      ['db status -o json --fields connections,maxConnections', 'two numbers for a script'],
    ],
  }).action(() =>
    withApp(cli, async ({ app }) => {
      const { readDatabaseStatus, STATUS_FIELDS } = await import('../../server/db/status.ts');
      await cli.out.record({ fields: STATUS_FIELDS }, await readDatabaseStatus(app.db));
    }),
  );
}
