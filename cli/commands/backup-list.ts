import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addLeaf } from '../declare.ts';
import { CliError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Row } from '../output.ts';
import { SUMMARY_FIELDS, toSummary } from './backup-create.ts';

const loadVerify = () => import('../../server/features/backup/verify.ts');

/** Exit code 5 when there is no such file. */
export const checkFile = async (file: string): Promise<void> => {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.notFound, `${file} cannot be read: ${error.code}`);
  });
  if (!found.isFile()) throw new CliError(EXIT.notFound, `${file} is no file.`);
};

async function* listBackups(directory: string): AsyncIterable<Row> {
  const { readHead } = await loadVerify();
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.notFound, `${directory} cannot be read: ${error.code}`);
  });
  for (const name of names.filter((n) => n.endsWith('.tar')).sort()) {
    const file = join(directory, name);
    const { size } = await stat(file);
    const head = await readHead(file).catch(() => undefined);
    if (!head) continue;
    yield { file, createdAt: head.createdAt, site: head.site, schema: head.migrations.at(-1), bytes: size };
  }
}

/** backup verify, backup list. */
export function addChecks(noun: Command, cli: Cli): void {
  addLeaf(noun, 'verify <file>', {
    summary: 'Reads all of a backup and compares it with its checksums',
    description: 'Exit code 1 when a single byte is not as it was written. Needs no database.',
    examples: [['backup verify market.tar && echo whole', 'before it is needed']],
  }).action(async (file: string) => {
    await checkFile(file);
    const manifest = await (await loadVerify()).verifyBackup(file, cli.signal);
    await cli.out.record({ fields: SUMMARY_FIELDS }, toSummary(file, manifest));
    cli.say('The backup is whole.');
  });

  addLeaf(noun, 'list [directory]', {
    summary: 'Lists the backups in a folder; default here',
    examples: [['backup list /var/backups/tradepost', 'what there is']],
  }).action(async (directory = '.') => {
    const shape = { fields: ['file', 'createdAt', 'site', 'schema', 'bytes'] };
    if ((await cli.out.rows(shape, listBackups(directory))) === 0) cli.say('No backups here.');
  });
}
