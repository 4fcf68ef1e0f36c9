import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { ImportMapping } from '../../contract/imports.ts';
import { pluralize } from '../../contract/plural.ts';
import type { AppContext } from '../../server/app-context.ts';
import { AppError } from '../../server/errors.ts';
import { FORMAT_NAMES } from '../../server/features/imports/formats/formats.ts';
import { type RunOptions, runImport } from '../../server/features/imports/run.ts';
import { type ImportSummary, previewImport, readImport, startImport } from '../../server/features/imports/service.ts';
import type { UserActor } from '../../server/policy.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, getUser, type MutationOptions } from '../framework/command.ts';
import { type CommandContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, refuseUnreadable, usageError } from '../framework/errors.ts';
import { startProgress } from '../framework/terminal.ts';
import { readBytes } from './import-input.ts';
import { showMistakes } from './import-mistakes.ts';
import { registerPhotos } from './import-photos.ts';
import { registerSites } from './import-site.ts';

interface ImportOptions extends MutationOptions {
  as: string;
  format?: string;
  source?: string;
  map?: string;
  decimal?: 'point' | 'comma';
  truncate?: boolean;
  allOrNothing?: boolean;
  pauseMissing?: boolean;
  draft?: boolean;
  errors?: string;
}

const SHAPE = {
  fields: ['new', 'changed', 'same', 'wrong', 'created', 'updated', 'paused', 'refused', 'photosWaiting'],
};

const readMapping = async (path: string | undefined): Promise<ImportMapping> => {
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch(refuseUnreadable(`--map ${path}`));
  const hint =
    'It is JSON such as {"columns": {"Titel": "title"}, "categories": {"Möbel": "furniture"}, "decimal": "comma"}.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`--map ${path} is no JSON.`, hint);
  }
  const parsed = ImportMapping.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(`--map ${path}: ${issue?.path.join('.')}: ${issue?.message}`, hint);
};

const toSentence = ({ counts, missing }: ImportSummary, pauseMissing: boolean): string =>
  [
    `${pluralize(counts.new, 'new ad')}`,
    `${counts.changed} changed`,
    `${counts.same} the same`,
    `${counts.wrong} wrong`,
    ...(pauseMissing ? [`${missing} no longer in the file, which are paused`] : []),
  ].join(', ');

const toResult = ({ counts, created, updated, paused, refused, photos }: ImportSummary) => ({
  ...counts,
  created,
  updated,
  paused,
  refused,
  photosWaiting: photos.waiting,
});

const watch = async (cli: Cli, ctx: AppContext, id: string): Promise<void> => {
  const progress = startProgress(cli, 'Ads');
  const onProgress = ({ done, rows }: { done: number; rows: number }) => progress.at(done, rows);
  await runImport(ctx, id, { signal: cli.signal, onProgress }).finally(progress.end);
};

const preview = async (
  cli: Cli,
  ctx: AppContext,
  actor: UserActor,
  file: string,
  options: ImportOptions,
): Promise<string> => {
  const mapping = await readMapping(options.map);
  const { format, source, decimal = mapping.decimal, truncate } = options;
  const reading = startProgress(cli, 'Rows');
  const upload = {
    fileName: basename(file),
    bytes: readBytes(cli, file),
    onProgress: (rows: number) => reading.at(rows),
  };
  const choices = { ...mapping, format, source, decimal, truncate: truncate === true };
  return previewImport(ctx, actor, upload, choices)
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.phrase?.key !== 'errors.noTitleColumn') throw error;
      throw usageError('No column is known to be the title.', MAP_HINT);
    })
    .finally(reading.end);
};

const MAP_HINT =
  'Say what the columns mean with --map FILE, as in {"columns": {"Heading": "title"}}; or --format, if it is another kind of file.';

const importAds = async (cli: Cli, { ctx, actor: operator }: CommandContext, file: string, options: ImportOptions) => {
  const user = await getUser(ctx.db, options.as);
  const actor: UserActor = { kind: 'user', id: user.id, role: user.role };
  const id = await preview(cli, ctx, actor, file, options);
  const summary = await readImport(ctx, actor, id);
  const run: RunOptions = {
    asDrafts: options.draft === true,
    allOrNothing: options.allOrNothing === true,
    pauseMissing: options.pauseMissing === true,
  };
  const toPlace = ({ line }: { line: number }) => `Line ${line}`;
  await showMistakes(cli, ctx, [id], { file: options.errors, toPlace });
  cli.say(`${file}: ${toSentence(summary, run.pauseMissing)}.`);
  const changes = summary.counts.new + summary.counts.changed + (run.pauseMissing ? summary.missing : 0);
  if (changes === 0 && !(run.allOrNothing && summary.counts.wrong > 0)) return summary;
  await cli.confirm(`Import ${file} as @${user.username ?? user.id}?`, options.yes || options.dryRun);
  await startImport(ctx, actor, id, run, { by: operator, reason: options.reason });
  await watch(cli, ctx, id);
  const result = await readImport(ctx, actor, id);
  if (result.state === 'failed') throw new CliError(EXIT.conflict, result.error ?? 'The import failed.');
  return result;
};

const run = async (cli: Cli, file: string, options: ImportOptions): Promise<void> => {
  const result = await withWritableContext(cli, options.dryRun, (acting) => importAds(cli, acting, file, options));
  if (result.photos.waiting > 0)
    cli.say(`Jobs of the server fetch the photos. Which failed: marketctl import photos --as ${options.as}`);
  await cli.out.record(SHAPE, toResult(result));
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'ads <file>', {
    summary: 'Makes ads of a file: CSV, TSV, JSON, XML of shops and other marketplaces; - is standard input',
    description: `Formats: ${FORMAT_NAMES.join(', ')}. Tells them by themselves unless --format says so. An ad is known by its seller, the source and its id in the file, so a second run changes what changed and leaves the rest alone. Rows that are wrong are named and left out.`,
    examples: [
      ['import ads listings.csv --as @handle --dry-run', 'what would happen'],
      ['import ads listings.csv --as @handle --errors wrong.csv --yes', 'what is right; the rest into a file'],
      ['import ads feed.xml --as @handle --pause-missing --all-or-nothing --yes', 'every night, from a shop'],
    ],
    changes: 'after a yes',
  })
    .requiredOption('--as <user>', 'the seller: an id or @handle')
    .addOption(new Option('--format <format>', 'of the file').choices(FORMAT_NAMES))
    .option('--source <name>', 'where the file is from, if several programs make such files; default the format')
    .option('--map <file>', 'JSON: what columns and categories mean')
    .addOption(new Option('--decimal <sign>', 'how prices are written').choices(['point', 'comma']))
    .option('--truncate', 'cut texts that are too long')
    .option('--all-or-nothing', 'import nothing if a row is wrong')
    .option('--pause-missing', 'pause ads of earlier files of this source that are not in this one')
    .option('--draft', 'new ads are paused until their seller resumes them')
    .option('--errors <file>', 'write the wrong rows here, as CSV unless -o says otherwise')
    .action((file: string, options: ImportOptions) => run(cli, file, options));
  registerSites(noun, cli);
  registerPhotos(noun, cli);
}
