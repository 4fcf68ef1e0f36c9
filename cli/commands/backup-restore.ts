import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../../server/app.ts';
import type { Cli } from '../cli.ts';
import { addDryRun, addLeaf, type MutationOptions } from '../declare.ts';
import { startProgress } from '../progress.ts';
import { announceDryRun, withApp } from '../with-app.ts';
import { SUMMARY_FIELDS, toStamp, toSummary, writeBackupTo } from './backup-create.ts';
import { checkFile } from './backup-list.ts';

interface RestoreOptions extends MutationOptions {
  replace?: boolean;
}

const writeRestorePoint = async (cli: Cli, app: App, backup: string): Promise<void> => {
  const file = join(dirname(backup), `before-restore-${toStamp(new Date())}.tar`);
  await writeBackupTo(cli, app, { file, images: true });
  cli.say(`What was there is in ${file}.`);
};

/** backup restore. */
export function addRestore(noun: Command, cli: Cli): void {
  const leaf = addLeaf(noun, 'restore <file>', {
    summary: 'Fills a migrated, empty database with a backup: all of it or nothing',
    description:
      'The file is verified first. With --replace what is there is written to before-restore-DATE.tar beside the backup, then replaced. Stop the servers or turn maintenance on meanwhile.',
    examples: [
      ['backup restore market.tar --dry-run', 'is the file whole, and would it go into this database?'],
      ['backup restore market.tar --yes', 'into an empty database'],
      ['backup restore market.tar --replace', 'over what is there; asks first'],
    ],
  });
  addDryRun(leaf, 'read all of the file, look at the database, change nothing')
    .option('--replace', 'replace what is there, after writing a backup of it')
    .option('-y, --yes', 'go on without asking')
    .option('--reason <text>', 'why, for the audit log')
    .action(async (file: string, { replace = false, dryRun, yes, reason }: RestoreOptions) => {
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
        if (replace) await writeRestorePoint(cli, app, file);
        const progress = startProgress(cli, 'Restoring');
        const onProgress = (_what: string, done: number) => progress.at(done);
        const options = { replace, reason, signal: cli.signal, onProgress };
        await restoreBackup(app, actor, file, manifest, options).finally(progress.end);
        await cli.out.record({ fields: SUMMARY_FIELDS }, toSummary(file, manifest));
      });
    });
}
