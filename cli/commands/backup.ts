import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { pluralize } from '../../contract/plural.ts';
import type { AppContext } from '../../server/app-context.ts';
import { type Manifest, readHead, verifyBackup } from '../../server/features/backup/archive.ts';
import { createBackup } from '../../server/features/backup/create.ts';
import { checkRestore, restoreBackup } from '../../server/features/backup/restore.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { announceDryRun, withContext } from '../framework/context.ts';
import { CliError, EXIT, refuseUnreadable, usageError } from '../framework/errors.ts';
import type { Fields, Output } from '../framework/output.ts';
import { startProgress } from '../framework/terminal.ts';

const printSummary = (cli: Cli, file: string, manifest: Manifest): Promise<void> => {
  const { images, tables } = manifest;
  const fields: Fields<Manifest> = {
    file: () => file,
    site: 'site',
    createdAt: 'createdAt',
    schema: () => manifest.migrations.at(-1),
    tables: () => Object.keys(tables).length,
    rows: () => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
    images: () => (images.included ? images.objects : null),
    imageBytes: () => (images.included ? images.bytes : null),
    sha256: 'sha256',
  };
  return cli.out.record({ fields }, manifest);
};

const toStamp = (time: Date): string => time.toISOString().slice(0, 23).replace(/[-:]/g, '').replace(/[T.]/g, '-');

interface BackupTarget {
  file: string;
  images: boolean;
  isDryRun?: boolean;
}

/** A backup is binary: a terminal cannot show it, and a container's pseudo-terminal changes its line ends. */
const refuseTerminal = (cli: Cli, file: string | undefined, option: string): void => {
  if (file === '-' && cli.stdout.isTTY)
    throw usageError(
      'A backup cannot go to a terminal.',
      `Redirect standard output (docker compose needs -T for that), or name a file: ${option} FILE.`,
    );
};

async function writeBackup(cli: Cli, ctx: AppContext, { file, images, isDryRun }: BackupTarget): Promise<Manifest> {
  const progress = startProgress(cli, 'Backing up');
  const options = { images, signal: cli.signal, onProgress: (_what: string, done: number) => progress.at(done) };
  const write = ({ raw }: Pick<Output, 'raw'>) => createBackup(ctx, raw, options);
  const writing = isDryRun ? write({ raw: async () => {} }) : cli.to(file, write);
  return writing.finally(progress.end);
}

const checkFile = async (file: string): Promise<void> => {
  const found = await stat(file).catch(refuseUnreadable(file));
  if (!found.isFile()) throw new CliError(EXIT.notFound, `${file} is no file.`);
};

async function* listBackups(directory: string) {
  const names = await readdir(directory).catch(refuseUnreadable(directory));
  for (const name of names.filter((n) => n.endsWith('.tar')).sort()) {
    const file = join(directory, name);
    const { size } = await stat(file);
    const head = await readHead(file).catch(() => undefined);
    if (!head) continue;
    yield { file, createdAt: head.createdAt, site: head.site, schema: head.migrations.at(-1), bytes: size };
  }
}

interface RestoreOptions extends MutationOptions {
  replace?: boolean;
  keep?: string;
}

const KEEP_HINT = 'Nothing was changed. Name another place with --keep FILE; - is standard output.';

const writeRestorePoint = async (cli: Cli, ctx: AppContext, file: string): Promise<void> => {
  await writeBackup(cli, ctx, { file, images: true }).catch((error: unknown) => {
    // a container may have almost no writable folder
    const isPlace = error instanceof CliError && error.exitCode === EXIT.notFound;
    throw isPlace ? new CliError(error.exitCode, error.message, KEEP_HINT) : error;
  });
  cli.say(`What was there is in ${file === '-' ? 'standard output' : file}.`);
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'create', {
    summary: 'Writes everything of one moment to a single file, while the server runs',
    description:
      'A tar with the rows of every table, the images, and checksums. Sessions, waiting jobs and rate limits stay out: people sign in again. The file holds private data and is readable by its owner only; SESSION_KEYS and TOKEN_ENC_KEY are not in it.',
    examples: [
      ['backup create --out market.tar', 'into a file, which appears when it is whole'],
      ['backup create --out - | age -r age1… >market.tar.age', 'encrypted'],
      ['backup create --no-images', 'rows only, where the images are backed up by themselves'],
      ['backup create --dry-run', 'how much it would be, all of it read'],
    ],
    dryRun: 'read everything, write nothing; print what would be in it',
  })
    .option('--out <file>', 'where to write; - is standard output; default tradepost-DATE.tar here')
    .option('--no-images', 'leave the images out')
    .action(async ({ out, images, dryRun }: MutationOptions & { out?: string; images: boolean }) => {
      if (!dryRun) refuseTerminal(cli, out, '--out');
      await withContext(cli, async ({ ctx }) => {
        const file = out ?? `tradepost-${toStamp(new Date())}.tar`;
        const isDryRun = announceDryRun(cli, dryRun);
        const manifest = await writeBackup(cli, ctx, { file, images, isDryRun });
        if (manifest.images.missing > 0)
          cli.say(
            `warning: the store lacks ${pluralize(manifest.images.missing, 'image')}; see marketctl images verify`,
          );
        if (file !== '-' || isDryRun) await printSummary(cli, file, manifest);
      });
    });

  addCommand(noun, 'verify <file>', {
    summary: 'Reads all of a backup and compares it with its checksums',
    description: 'Exit code 1 when a single byte is not as it was written. Needs no database.',
    examples: [['backup verify market.tar && echo whole', 'before it is needed']],
  }).action(async (file: string) => {
    await checkFile(file);
    const manifest = await verifyBackup(file, cli.signal);
    await printSummary(cli, file, manifest);
    cli.say('The backup is whole.');
  });

  addCommand(noun, 'list [directory]', {
    summary: 'Lists the backups in a folder; default here',
    examples: [['backup list /var/backups/tradepost', 'what there is']],
  }).action(async (directory = '.') => {
    const shape = { fields: ['file', 'createdAt', 'site', 'schema', 'bytes'] };
    if ((await cli.out.rows(shape, listBackups(directory))) === 0) cli.say('No backups here.');
  });

  addCommand(noun, 'restore <file>', {
    summary: 'Fills a migrated, empty database with a backup: all of it or nothing',
    description:
      'The file is verified first. With --replace what is there is written to before-restore-DATE.tar beside the backup, or where --keep says, then replaced. Stop the servers or turn maintenance on meanwhile.',
    examples: [
      ['backup restore market.tar --dry-run', 'is the file whole, and would it go into this database?'],
      ['backup restore market.tar --yes', 'into an empty database'],
      ['backup restore market.tar --replace', 'over what is there; asks first'],
      ['backup restore /market.tar --replace --yes --keep - >before.tar', 'in a container, which keeps no files'],
    ],
    dryRun: 'read all of the file, look at the database, change nothing',
  })
    .option('--replace', 'replace what is there, after writing a backup of it')
    .option('--keep <file>', 'where --replace writes what was there; - is standard output')
    .option('-y, --yes', 'go on without asking')
    .option('--reason <text>', 'why, for the audit log')
    .action(async (file: string, { replace = false, keep, dryRun, yes, reason }: RestoreOptions) => {
      if (keep !== undefined && !replace) throw usageError('--keep goes with --replace.');
      if (!dryRun) refuseTerminal(cli, keep, '--keep');
      await checkFile(file);
      const manifest = await verifyBackup(file, cli.signal);
      const what = `the backup of ${manifest.site} of ${manifest.createdAt}`;
      await cli.confirm(
        replace ? `Replace everything in this database by ${what}?` : `Restore ${what}?`,
        yes || dryRun,
      );
      await withContext(cli, async ({ ctx, actor }) => {
        if (announceDryRun(cli, dryRun)) {
          await checkRestore(ctx, manifest, { replace });
          return printSummary(cli, file, manifest);
        }
        const restorePoint = keep ?? join(dirname(file), `before-restore-${toStamp(new Date())}.tar`);
        if (replace) await writeRestorePoint(cli, ctx, restorePoint);
        const progress = startProgress(cli, 'Restoring');
        const onProgress = (_what: string, done: number) => progress.at(done);
        const options = { replace, reason, signal: cli.signal, onProgress };
        await restoreBackup(ctx, actor, file, manifest, options).finally(progress.end);
        if (restorePoint === '-') cli.say(`Restored ${what}.`);
        else await printSummary(cli, file, manifest);
      });
    });
}
