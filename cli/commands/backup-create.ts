import type { Command } from 'commander';
import type { App } from '../../server/app.ts';
import type { Manifest } from '../../server/features/backup/manifest.ts';
import type { Cli } from '../cli.ts';
import { addDryRun, addLeaf, type MutationOptions } from '../declare.ts';
import { usageError } from '../errors.ts';
import type { Output, Row } from '../output.ts';
import { startProgress } from '../progress.ts';
import { announceDryRun, withApp } from '../with-app.ts';

export const SUMMARY_FIELDS = [
  'file',
  'site',
  'createdAt',
  'schema',
  'tables',
  'rows',
  'images',
  'imageBytes',
  'sha256',
];

/** A backup in one line; `schema` is the last migration. */
export const toSummary = (file: string, manifest: Manifest): Row => ({
  file,
  site: manifest.site,
  createdAt: manifest.createdAt,
  schema: manifest.migrations.at(-1) ?? null,
  tables: Object.keys(manifest.tables).length,
  rows: Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0),
  images: manifest.images.included ? manifest.images.objects : null,
  imageBytes: manifest.images.included ? manifest.images.bytes : null,
  sha256: manifest.sha256,
});

/** 2026-11-21T05:00:00.123Z → 20261121-050000-123: to the millisecond, so that no file takes the name of an earlier one. */
export const toStamp = (time: Date): string =>
  time.toISOString().slice(0, 23).replace(/[-:]/g, '').replace(/[T.]/g, '-');

const nowhere: Output['raw'] = async () => {};

interface BackupTarget {
  /** - is standard output. */
  file: string;
  images: boolean;
  /** Reads everything and writes nothing. */
  isDryRun?: boolean;
}

/** A terminal shows a backup as noise; one inside of a container changes its line ends on the way into a file outside. */
export const refuseTerminal = (cli: Cli, file: string | undefined, option: string): void => {
  if (file === '-' && cli.stdout.isTTY)
    throw usageError(
      'A backup cannot go to a terminal.',
      `Redirect standard output (docker compose needs -T for that), or name a file: ${option} FILE.`,
    );
};

/** Writes a backup to its file. */
export async function writeBackupTo(cli: Cli, app: App, { file, images, isDryRun }: BackupTarget): Promise<Manifest> {
  const { createBackup } = await import('../../server/features/backup/create.ts');
  const progress = startProgress(cli, 'Backing up');
  const options = { images, signal: cli.signal, onProgress: (_what: string, done: number) => progress.at(done) };
  const write = ({ raw }: Pick<Output, 'raw'>) => createBackup(app, raw, options);
  const writing = isDryRun ? write({ raw: nowhere }) : file === '-' ? write(cli.out) : cli.toFile(file, write);
  return writing.finally(progress.end);
}

/** backup create. */
export function addCreate(noun: Command, cli: Cli): void {
  const leaf = addLeaf(noun, 'create', {
    summary: 'Writes everything of one moment to a single file, while the server runs',
    description:
      'A tar with the rows of every table, the pictures, and checksums. Sessions, waiting jobs and rate limits stay out: people sign in anew. The file holds private data and is readable by its owner only; SESSION_KEYS and TOKEN_ENC_KEY are not in it.',
    examples: [
      ['backup create --out market.tar', 'into a file, which appears when it is whole'],
      ['backup create --out - | age -r age1… >market.tar.age', 'encrypted'],
      ['backup create --no-images', 'rows only, where the pictures are backed up by themselves'],
      ['backup create --dry-run', 'how much it would be, all of it read'],
    ],
  });
  addDryRun(leaf, 'read everything, write nothing; print what would be in it')
    .option('--out <file>', 'where to write; - is standard output; default tradepost-DATE.tar here')
    .option('--no-images', 'leave the pictures out')
    .action(async ({ out, images, dryRun }: MutationOptions & { out?: string; images: boolean }) => {
      if (!dryRun) refuseTerminal(cli, out, '--out');
      await withApp(cli, async ({ app }) => {
        const file = out ?? `tradepost-${toStamp(new Date())}.tar`;
        const isDryRun = announceDryRun(cli, dryRun);
        const manifest = await writeBackupTo(cli, app, { file, images, isDryRun });
        if (manifest.images.missing > 0)
          cli.say(`warning: ${manifest.images.missing} pictures are missing in the store; see marketctl images verify`);
        if (file !== '-' || isDryRun) await cli.out.record({ fields: SUMMARY_FIELDS }, toSummary(file, manifest));
      });
    });
}
