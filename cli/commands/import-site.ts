import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { pluralize } from '../../contract/plural.ts';
import type { AppContext } from '../../server/app-context.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { countDueFiles } from '../../server/features/imports/repository.ts';
import { type RunOptions, runImport } from '../../server/features/imports/run.ts';
import { type ImportSummary, readImport, startImport } from '../../server/features/imports/service.ts';
import {
  previewSite,
  type SitePreview,
  type SiteSeller,
  suggestMapping,
  takeSitePhotos,
} from '../../server/features/imports/sites/import-site.ts';
import { SiteMapping } from '../../server/features/imports/sites/mapping.ts';
import { osclass } from '../../server/features/imports/sites/osclass.ts';
import { type OpenSite, withSite } from '../../server/features/imports/sites/read-site.ts';
import type { Site } from '../../server/features/imports/sites/site.ts';
import { yclas } from '../../server/features/imports/sites/yclas.ts';
import type { UserActor } from '../../server/policy.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, getUser, type MutationOptions } from '../framework/command.ts';
import { type CommandContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, refuseUnreadable, usageError } from '../framework/errors.ts';
import { startProgress } from '../framework/terminal.ts';
import { readBytes } from './import-input.ts';
import { showMistakes } from './import-mistakes.ts';

interface SiteOptions extends MutationOptions {
  media?: string;
  as?: string;
  map?: string;
  suggest?: string;
  language?: string;
  prefix?: string;
  source?: string;
  truncate?: boolean;
  allOrNothing?: boolean;
  pauseMissing?: boolean;
  draft?: boolean;
  errors?: string;
}

const COUNTS = ['new', 'changed', 'same', 'wrong'] as const;
const DONE = ['created', 'updated', 'paused', 'refused'] as const;
const SHAPE = { fields: [...COUNTS, 'leftOut', 'unmapped', ...DONE, 'photos', 'photosWaiting'] };

const HINT = 'Let --suggest FILE write one, and fill in what is empty.';

const readSiteMapping = async (path: string | undefined): Promise<SiteMapping> => {
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch(refuseUnreadable(`--map ${path}`));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`--map ${path} is no JSON.`, HINT);
  }
  const parsed = SiteMapping.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(`--map ${path}: ${issue?.path.join('.')}: ${issue?.message}`, HINT);
};

const checkMedia = async (media: string | undefined): Promise<void> => {
  if (media === undefined) return;
  const found = await stat(media).catch(refuseUnreadable(`--media ${media}`));
  if (!found.isDirectory()) throw usageError(`--media ${media} is no folder.`);
};

/** The sellers here, each with all that they are in the dump. */
const findSellers = async (ctx: AppContext, as: string | undefined, mapping: SiteMapping): Promise<SiteSeller[]> => {
  if (as !== undefined) return [{ user: await getUser(ctx.db, as), owners: undefined }];
  const named = Object.entries(mapping.sellers ?? {}).filter(([, seller]) => seller.as.trim() !== '');
  if (named.length === 0)
    throw usageError(
      'It is not known who gets these ads.',
      'Give --as @handle for all ads, or --map with sellers: --suggest FILE writes it.',
    );
  const sellers = new Map<string, { user: SiteSeller['user']; owners: string[] }>();
  for (const [owner, { as: handle }] of named) {
    const user = await getUser(ctx.db, handle.trim());
    const owners = sellers.get(user.id)?.owners ?? [];
    sellers.set(user.id, { user, owners: [...owners, owner] });
  }
  return [...sellers.values()];
};

const suggest = async (cli: Cli, ctx: AppContext, open: OpenSite, file: string, before: SiteMapping): Promise<void> => {
  const mapping = await suggestMapping(ctx, open, before);
  await writeFile(file, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw new CliError(EXIT.conflict, `${file} exists. Choose another name.`);
      throw new CliError(EXIT.notFound, `--suggest ${file} cannot be written: ${error.code}`);
    },
  );
  const categories = Object.values(mapping.categories);
  const undecided = categories.filter((slug) => slug === '').length;
  cli.say(
    `${file}: ${pluralize(categories.length, 'category', 'categories')}, ${undecided} to choose; ${pluralize(Object.keys(mapping.sellers).length, 'seller')}. Fill in what is empty, then import with --map ${file}.`,
  );
};

const sum = (summaries: readonly ImportSummary[], pick: (one: ImportSummary) => number): number =>
  summaries.reduce((total, one) => total + pick(one), 0);

const showPreview = (cli: Cli, file: string, open: OpenSite, preview: SitePreview, pauseMissing: boolean): void => {
  const { reading, otherLanguages, leftOut, warnings } = open;
  const { unmapped, photos, refused, finished } = preview;
  const summaries = preview.imports.map(({ summary }) => summary);
  for (const warning of warnings) cli.say(`Warning: ${warning}`);
  if (reading.language)
    cli.say(
      `Language: ${reading.language}.${otherLanguages.length > 0 ? ` Ads without a text in it come in another: ${otherLanguages.join(', ')}.` : ''}`,
    );
  if (finished.sellers > 0)
    cli.say(
      `An earlier run was interrupted, and has ended now: ${pluralize(finished.created, 'new ad')}, ${finished.updated} changed; of ${pluralize(finished.sellers, 'seller')}.`,
    );
  for (const { user, reason } of refused) cli.say(`Left out: all ads of @${user.username ?? user.id}. ${reason}`);
  const others = [...leftOut].map(([reason, count]) => `${count} ${reason}`);
  if (unmapped.ads > 0)
    others.push(`${unmapped.ads} of ${pluralize(unmapped.people, 'person', 'people')} without an account here`);
  if (others.length > 0) cli.say(`Left out: ${others.join(', ')}.`);
  if (photos.count > 0) {
    const [first] = photos.missing;
    cli.say(`Photos: ${photos.found} found, ${photos.count} not, such as ${first!.path}: ${first!.failure}.`);
  }
  const counts = COUNTS.map((kind) => sum(summaries, ({ counts: all }) => all[kind]));
  const missing = pauseMissing ? `, ${sum(summaries, (one) => one.missing)} no longer there, which are paused` : '';
  cli.say(
    `${file}: ${pluralize(counts[0]!, 'new ad')}, ${counts[1]} changed, ${counts[2]} the same, ${counts[3]} wrong${missing}; of ${pluralize(summaries.length, 'seller')}.`,
  );
};

const toActor = ({ user: { id, role } }: { user: SiteSeller['user'] }): UserActor => ({ kind: 'user', id, role });

/** Starts the imports of all sellers at once: if the process is killed, jobs of the server go on with each. */
const start = (
  { ctx, actor: operator }: CommandContext,
  imports: SitePreview['imports'],
  run: RunOptions,
  reason: string | undefined,
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    for (const { user, summary } of imports)
      await startImport({ ...ctx, db: trx }, toActor({ user }), summary.id, run, { by: operator, reason });
  });

const watch = async (cli: Cli, ctx: AppContext, imports: SitePreview['imports']): Promise<void> => {
  const progress = startProgress(cli, 'Ads');
  const total = imports.reduce((rows, { summary }) => rows + summary.rows, 0);
  let before = 0;
  try {
    for (const { summary } of imports) {
      const onProgress = ({ done }: { done: number }) => progress.at(before + done, total);
      await runImport(ctx, summary.id, { signal: cli.signal, onProgress });
      before += summary.rows;
    }
  } finally {
    progress.end();
  }
};

const SHOWN = 20;

const takePhotos = async (
  cli: Cli,
  ctx: AppContext,
  owner: Parameters<typeof takeSitePhotos>[1],
  media: string,
): Promise<number> => {
  const progress = startProgress(cli, 'Photos');
  const total = await countDueFiles(ctx.db, owner);
  let [taken, failed] = [0, 0];
  try {
    for await (const { externalId, taken: photos } of takeSitePhotos(ctx, owner, media, cli.signal)) {
      for (const { path, failure } of photos) {
        if (failure === undefined) taken += 1;
        else if (failed++ < SHOWN) {
          progress.end();
          cli.say(`Ad ${externalId}, photo ${path}: ${failure}.`);
        }
      }
      progress.at(taken + failed, total);
    }
  } finally {
    progress.end();
  }
  if (failed > SHOWN) cli.say(`… and ${failed - SHOWN} other photos. Another run tries them again.`);
  return taken;
};

interface Importing {
  site: Site;
  file: string;
  options: SiteOptions;
}

const importSite = async (cli: Cli, acting: CommandContext, { site, file, options }: Importing) => {
  const { ctx } = acting;
  const mapping = await readSiteMapping(options.map);
  await checkMedia(options.media);
  const isSuggesting = options.suggest !== undefined;
  const sellers = isSuggesting ? [] : await findSellers(ctx, options.as, mapping);
  const source = options.source ?? site.source;
  const reading = startProgress(cli, 'Rows');
  const checking = startProgress(cli, 'Ads');
  const upload = {
    bytes: readBytes(cli, file),
    prefix: options.prefix,
    language: options.language ?? (mapping.language || undefined),
    onProgress: reading.at,
  };
  const preview = await withSite(ctx, site, upload, async (open) => {
    reading.end();
    if (isSuggesting) return void (await suggest(cli, ctx, open, options.suggest!, mapping));
    const { media, truncate } = options;
    const choices = { fileName: basename(file), source, mapping, truncate: truncate === true, media };
    const found = await previewSite(ctx, open, sellers, { ...choices, onProgress: checking.at }).finally(checking.end);
    const leftOut = [...open.leftOut.values()].reduce((total, count) => total + count, 0);
    const ids = found.imports.map(({ summary }) => summary.id);
    await showMistakes(cli, ctx, ids, { file: options.errors, toPlace: ({ id }) => `Ad ${id}` });
    showPreview(cli, file, open, found, options.pauseMissing === true);
    return { ...found, leftOut };
  }).finally(reading.end);
  if (preview === undefined) return undefined;
  const { imports, unmapped, leftOut } = preview;
  const run: RunOptions = {
    asDrafts: options.draft === true,
    allOrNothing: options.allOrNothing === true,
    pauseMissing: options.pauseMissing === true,
  };
  const owner = { userIds: imports.map(({ user }) => user.id), source };
  const summaries = imports.map(({ summary }) => summary);
  const wrong = sum(summaries, ({ counts }) => counts.wrong);
  if (run.allOrNothing && wrong > 0)
    throw new CliError(EXIT.conflict, `${wrong} of the ads are wrong. Nothing was imported.`);
  const changes = sum(
    summaries,
    ({ counts, missing }) => counts.new + counts.changed + (run.pauseMissing ? missing : 0),
  );
  const waiting = options.media === undefined ? 0 : await countDueFiles(ctx.db, owner);
  let photos = 0;
  if (changes + waiting > 0) {
    await cli.confirm(`Import ${file} as ${pluralize(imports.length, 'seller')}?`, options.yes || options.dryRun);
    if (changes > 0) {
      await start(acting, imports, run, options.reason);
      await watch(cli, ctx, imports);
    }
    if (options.media !== undefined && !options.dryRun) photos = await takePhotos(cli, ctx, owner, options.media);
  }
  const results: ImportSummary[] = [];
  for (const { user, summary } of imports) results.push(await readImport(ctx, toActor({ user }), summary.id));
  return { results, leftOut, unmapped: unmapped.ads, photos, photosWaiting: await countDueFiles(ctx.db, owner) };
};

const runSite = async (cli: Cli, importing: Importing): Promise<void> => {
  const { dryRun } = importing.options;
  const done = await withWritableContext(cli, dryRun, (acting) => importSite(cli, acting, importing));
  if (done === undefined) return;
  const { results, ...others } = done;
  const failed = results.filter(({ state }) => state === 'failed');
  for (const { error } of failed) cli.say(`Failed: ${error}`);
  const total = (kind: (typeof DONE)[number]) => [kind, sum(results, (one) => one[kind])] as const;
  const counts = COUNTS.map((kind) => [kind, sum(results, (one) => one.counts[kind])] as const);
  await cli.out.record(SHAPE, { ...Object.fromEntries([...counts, ...DONE.map(total)]), ...others });
  if (failed.length > 0) throw new CliError(EXIT.partial, `${failed.length} of ${results.length} sellers failed.`);
};

const addSite = (noun: Command, cli: Cli, site: Site, tables: string): Command =>
  addCommand(noun, `${site.name} <dump>`, {
    summary: `Makes ads of a whole ${site.label}: a dump of mysqldump, also packed by gzip; - is standard input`,
    description: `Reads ${tables}. Ads become those of one person (--as), or of the accounts that --map names for the people of the site: nobody is found by their mail address. Ads that are not public there stay behind and are counted. Photos are files below --media. Another run changes what changed, and goes on with photos.`,
    examples: [
      [`import ${site.name} dump.sql --suggest map.json`, 'which categories and sellers there are'],
      [`import ${site.name} dump.sql --media /srv/${site.name} --map map.json --dry-run`, 'what would happen'],
      [
        `import ${site.name} dump.sql.gz --media /srv/${site.name} --map map.json --errors wrong.csv --yes`,
        'what is right',
      ],
      [`import ${site.name} dump.sql --media /srv/${site.name} --as @shop --yes`, 'all ads for one seller'],
    ],
    changes: 'after a yes',
  })
    .option('--media <folder>', 'the folder of the site, or of its pictures')
    .option('--as <user>', 'one seller for all ads: an id or @handle')
    .option('--map <file>', 'JSON: categories and sellers, as --suggest writes it')
    .option('--suggest <file>', 'write such a file, with what --map decides, and import nothing')
    .option('--prefix <text>', 'what the names of its tables begin with, if the dump has several sites')
    .option('--source <name>', `where the ads are from, if you import several sites; default ${site.source}`)
    .option('--truncate', 'cut texts that are too long')
    .option('--all-or-nothing', 'import nothing if an ad is wrong')
    .option('--pause-missing', 'pause ads of earlier dumps that are not public in this one')
    .option('--draft', 'new ads are paused until their seller resumes them')
    .option('--errors <file>', 'write the wrong ads here, as CSV unless -o says otherwise')
    .action((file: string, options: SiteOptions) => runSite(cli, { site, file, options }));

export const registerSites = (noun: Command, cli: Cli): void => {
  addSite(noun, cli, osclass, 'its ads, categories, places and pictures').option(
    '--language <code>',
    "such as en_US: the text that comes along of ads with several; default the site's",
  );
  addSite(noun, cli, yclas, 'its ads, categories, places and pictures');
};
