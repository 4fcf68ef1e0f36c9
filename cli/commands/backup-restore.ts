import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../../server/app.ts';
import type { Cli } from '../cli.ts';
import { addDryRun, addLeaf, type MutationOptions } from '../declare.ts';
import { CliError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { startProgress } from '../progress.ts';
import { announceDryRun, withApp } from '../with-app.ts';
import { refuseTerminal, SUMMARY_FIELDS, toStamp, toSummary, writeBackupTo } from './backup-create.ts';
import { checkFile } from './backup-list.ts';

interface RestoreOptions extends MutationOptions {
  replace?: boolean;
  keep?: string;
}

const KEEP_HINT = 'Nothing was changed. Name another place with --keep FILE; - is standard output.';

/** Writes what is there to a file; - is standard output. */
const writeRestorePoint = async (cli: Cli, app: App, file: string): Promise<void> => {
  await writeBackupTo(cli, app, { file, images: true }).catch((error: unknown) => {
    // a container can write next to nowhere
    const isPlace = error instanceof CliError && error.exitCode === EXIT.notFound;
    throw isPlace ? new CliError(error.exitCode, error.message, KEEP_HINT) : error;
  });
  cli.say(`What was there is in ${file === '-' ? 'standard output' : file}.`);
};

/** backup restore. */
export function addRestore(noun: Command, cli: Cli): void {
  const leaf = addLeaf(noun, 'restore <file>', {
    summary: 'Fills a migrated, empty database with a backup: all of it or nothing',
    description:
      'The file is verified first. With --replace what is there is written to before-restore-DATE.tar beside the backup, or where --keep says, then replaced. Stop the servers or turn maintenance on meanwhile.',
    examples: [
      ['backup restore market.tar --dry-run', 'is the file whole, and would it go into this database?'],
      ['backup restore market.tar --yes', 'into an empty database'],
      ['backup restore market.tar --replace', 'over what is there; asks first'],
      ['backup restore /market.tar --replace --yes --keep - >before.tar', 'in a container, which keeps no files'],
    ],
  });
  addDryRun(leaf, 'read all of the file, look at the database, change nothing')
    .option('--replace', 'replace what is there, after writing a backup of it')
    .option('--keep <file>', 'where --replace writes what was there; - is standard output')
    .option('-y, --yes', 'go on without asking')
    .option('--reason <text>', 'why, for the audit log')
    .action(async (file: string, { replace = false, keep, dryRun, yes, reason }: RestoreOptions) => {
      if (keep !== undefined && !replace) throw usageError('--keep goes with --replace.');
      if (!dryRun) refuseTerminal(cli, keep, '--keep');
      await checkFile(file);
      const [{ verifyBackup }, { checkRestore, restoreBackup }] = await Promise.all([
        import('../../server/features/backup/verify.ts'),
        import('../../server/features/backup/restore.ts'),
      ]);
      const manifest = await verifyBackup(file, cli.signal);
      const what = `the backup of ${manifest.site} of ${manifest.createdAt}`;
      await cli.confirm(
        replace ? `Replace everything in this database by ${what}?` : `Restore ${what}?`,
        yes || dryRun,
      );
      await withApp(cli, async ({ app, actor }) => {
        if (announceDryRun(cli, dryRun)) {
          await checkRestore(app, manifest, { replace });
          return cli.out.record({ fields: SUMMARY_FIELDS }, toSummary(file, manifest));
        }
        const restorePoint = keep ?? join(dirname(file), `before-restore-${toStamp(new Date())}.tar`);
        if (replace) await writeRestorePoint(cli, app, restorePoint);
        const progress = startProgress(cli, 'Restoring');
        const onProgress = (_what: string, done: number) => progress.at(done);
        const options = { replace, reason, signal: cli.signal, onProgress };
        await restoreBackup(app, actor, file, manifest, options).finally(progress.end);
        if (restorePoint === '-') cli.say(`Restored ${what}.`);
        else await cli.out.record({ fields: SUMMARY_FIELDS }, toSummary(file, manifest));
      });
    });
}
