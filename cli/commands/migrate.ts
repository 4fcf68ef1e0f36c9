import type { Command } from 'commander';
import { pluralize } from '../../contract/plural.ts';
import {
  findNewerMigrations,
  listMigrations,
  type MigrateOptions,
  type MigrationStatus,
  migrateDown,
  migrateUp,
  migrationTarget,
  toNewerSchemaMessage,
  unlockMigrations,
} from '../../server/db/migrate.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions, parseDuration, parseWhole } from '../framework/command.ts';
import { announceDryRun, nameDatabaseInErrors, withConfig } from '../framework/context.ts';
import { CliError, EXIT } from '../framework/errors.ts';

/** Passes `work` the URL of a direct connection. */
const withMigrations = <T>(cli: Cli, work: (options: MigrateOptions) => Promise<T>, wait?: number): Promise<T> =>
  withConfig(cli, async (config) => {
    const onWait = (holder: string) => cli.say(`Waiting for the migration lock, held by ${holder}.`);
    const onAway = (error: Error) => cli.say(`Waiting for the database: ${error.message || 'it does not answer'}.`);
    const target = migrationTarget(config);
    return nameDatabaseInErrors(target.url, work({ ...target, wait, waitForDatabase: wait, onWait, onAway }));
  });

const printNames = (cli: Cli, names: readonly string[]): Promise<number> =>
  cli.out.rows(
    { fields: ['name'] },
    names.map((name) => ({ name })),
  );

const describeSchema = (migrations: readonly MigrationStatus[]): string => {
  const newer = findNewerMigrations(migrations);
  if (newer.length > 0) return toNewerSchemaMessage(newer);
  const pending = migrations.filter(({ appliedAt }) => appliedAt === null).length;
  return pending === 0 ? 'The schema is current.' : `${pending} pending: marketctl migrate up`;
};

const PLAN = 'change nothing; print the names in the order they would be taken';

const plan = async (cli: Cli, choose: (all: MigrationStatus[]) => MigrationStatus[]): Promise<void> => {
  const all = await withMigrations(cli, listMigrations);
  const names = choose(all).map(({ name }) => name);
  cli.say(describeSchema(all));
  announceDryRun(cli, true);
  await printNames(cli, names);
  if (names.length === 0) cli.say('Nothing.');
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'status', {
    summary: 'Lists migrations and when they were applied',
    examples: [
      ['migrate status', 'what has been applied'],
      ['migrate status --check', 'exit code 8 while one is pending'],
    ],
  })
    .option('--check', 'exit code 8 when a migration is pending')
    .action(({ check }: { check?: boolean }) =>
      withMigrations(cli, async (options) => {
        const migrations = await listMigrations(options);
        await cli.out.rows({ fields: ['name', 'appliedAt'] }, migrations);
        cli.say(describeSchema(migrations));
        const isBehind = migrations.some(({ appliedAt }) => appliedAt === null);
        if (check && isBehind) throw new CliError(EXIT.schema, 'The schema is behind this version.');
      }),
    );

  addCommand(noun, 'up', {
    summary: 'Applies pending migrations',
    description:
      'Any number of processes may do so at once: one works, the others wait and find nothing left to do. The schema of a newer release is left as it is: the one before runs on it.',
    examples: [
      ['migrate up', 'bring the schema to this version'],
      ['migrate up --wait 10m', 'wait that long for the database, and for another that migrates'],
      ['migrate up --dry-run', 'what is pending'],
    ],
    dryRun: PLAN,
  })
    .option(
      '--wait <duration>',
      'how long to wait for a database that does not answer yet (default: not at all), and for another that migrates (default: 10m)',
      parseDuration,
    )
    .action(({ wait, dryRun }: MutationOptions & { wait?: number }) => {
      if (dryRun) return plan(cli, (all) => all.filter(({ appliedAt }) => appliedAt === null));
      return withMigrations(
        cli,
        async (options) => {
          const applied = await migrateUp(options);
          await printNames(cli, applied);
          const done = applied.length === 0 ? 'Nothing to do.' : `Applied ${applied.length}.`;
          cli.say(`${done} ${describeSchema(await listMigrations(options))}`);
        },
        wait,
      );
    });

  addCommand(noun, 'down', {
    summary: 'Reverts the newest migrations; their tables and columns are lost',
    examples: [
      ['migrate down --steps 2 --dry-run', 'which two they are'],
      ['migrate down --steps 1 --yes', 'revert the last one without asking'],
    ],
    dryRun: PLAN,
  })
    .option('--steps <n>', 'how many', parseWhole(1, 1000), 1)
    .option('-y, --yes', 'go on without asking')
    .action(async ({ steps, yes, dryRun }: MutationOptions & { steps: number }) => {
      if (dryRun)
        return plan(cli, (all) =>
          all
            .filter(({ appliedAt }) => appliedAt !== null)
            .reverse()
            .slice(0, steps),
        );
      await cli.confirm(`Revert ${pluralize(steps, 'migration')} and lose what their tables hold?`, yes);
      await withMigrations(cli, async (options) => {
        const reverted = await migrateDown(options, steps);
        await printNames(cli, reverted);
        cli.say(reverted.length === 0 ? 'Nothing to revert.' : `Reverted ${reverted.length}.`);
      });
    });

  addCommand(noun, 'unlock', {
    summary: 'Frees what a killed migration may have left locked',
    description:
      'Never needed before "migrate up", which does the same. A running migration is not disturbed: exit code 8.',
    examples: [['migrate unlock', 'free a lock row']],
    dryRun: 'change nothing; print whether something is locked',
  }).action(({ dryRun = false }: MutationOptions) =>
    withMigrations(
      cli,
      async (options) => {
        announceDryRun(cli, dryRun);
        const wasLocked = await unlockMigrations(options, dryRun);
        await cli.out.record({ fields: ['wasLocked'] }, { wasLocked });
        if (!dryRun) cli.say('The migrations are unlocked.');
      },
      0,
    ),
  );
}
