import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import { ENGLISH_LOCALE } from '../../contract/languages.ts';
import { pluralize } from '../../contract/plural.ts';
import { planDemo, seedDemo } from '../../seeds/demo/demo.ts';
import { recordAudit } from '../../server/features/audit/repository.ts';
import type { CategorySeed } from '../../server/features/categories/repository.ts';
import { seedCategories } from '../../server/features/categories/service.ts';
import { requireCurrency } from '../../server/features/currency/service.ts';
import { seedPlaces } from '../../server/features/places/service.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions, parseWhole } from '../framework/command.ts';
import { announceDryRun, type CommandContext, withContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, refuseUnreadable, usageError } from '../framework/errors.ts';
import { startProgress } from '../framework/terminal.ts';

const SEEDS = fileURLToPath(new URL('../../seeds/categories.json', import.meta.url));

interface SeedOptions extends MutationOptions {
  file: string;
  prune?: boolean;
  check?: boolean;
}

const parseSeeds = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isSeed = (seed: unknown): seed is CategorySeed => {
  const { slug, name, emoji } = (seed ?? {}) as Record<string, unknown>;
  return typeof slug === 'string' && typeof name === 'string' && (emoji === undefined || typeof emoji === 'string');
};

const readSeeds = async (file: string): Promise<CategorySeed[]> => {
  const text = await readFile(file, 'utf8').catch(refuseUnreadable(file));
  const seeds = parseSeeds(text);
  if (!Array.isArray(seeds) || !seeds.every(isSeed))
    throw usageError(`${file} is not a list of {"slug": …, "name": …, "emoji": …}`);
  return seeds.map(({ slug, name, emoji }) => ({ slug, name, emoji: emoji ?? '📦' }));
};

interface PlacesOptions extends MutationOptions {
  countries?: string[];
}

const parseCountries = (value: string): string[] => {
  const codes = value.split(',').map((code) => code.trim().toUpperCase());
  const wrong = codes.find((code) => !/^[A-Z]{2}$/.test(code));
  if (wrong !== undefined) throw new InvalidArgumentError('Use codes such as US or CA, separated by commas.');
  return [...new Set(codes)];
};

const seedAllPlaces = async (cli: Cli, { countries, dryRun, reason }: PlacesOptions): Promise<void> => {
  const progress = startProgress(cli, 'places');
  const { signal } = cli;
  const counts = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
    seedPlaces(ctx, { countries, actor, reason, signal, onProgress: progress.at }),
  ).finally(progress.end);
  await cli.out.record({ fields: ['created', 'updated', 'unchanged', 'removed', 'kept'] }, counts);
  if (counts.kept > 0) cli.say(`Ads refer to ${pluralize(counts.kept, 'other place')}: kept.`);
};

interface DemoOptions extends MutationOptions {
  ads: number;
  users?: number;
  seed: number;
}

const SHAPE = { fields: ['ads', 'sellers', 'firstAdId', 'seconds'] };

const plan = async (cli: Cli, { ctx }: CommandContext, { ads, users }: DemoOptions): Promise<void> => {
  const planned = await planDemo(ctx, { ads, sellers: users });
  announceDryRun(cli, true);
  await cli.out.record(SHAPE, planned);
};

const seed = async (cli: Cli, { ctx, actor }: CommandContext, { ads, users, seed, yes, reason }: DemoOptions) => {
  const question = `This is production. Add ${ads.toLocaleString(ENGLISH_LOCALE)} invented ads to it?`;
  await cli.confirm(question, yes || !ctx.config.isProduction);
  await requireCurrency(ctx);
  const onProgress = (step: string) => cli.say(`${step} …`);
  const made = await seedDemo(ctx, { ads, sellers: users, seed, onProgress });
  const details = { ...made, seed, reason };
  await ctx.db.transaction((trx) => recordAudit(trx, actor, { action: 'seed.demo', details }));
  await cli.out.record(SHAPE, made);
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'categories', {
    summary: 'Puts the categories in place; running it again changes nothing',
    examples: [
      ['seed categories', 'those of this project'],
      [
        'seed categories --file mine.json --prune',
        'your own; what is not in the file is deleted, or disabled where it has ads',
      ],
      ['seed categories --check', 'exit code 8 unless they are in place'],
    ],
    changes: 'at once',
  })
    .option('--file <file>', 'list of {"slug": …, "name": …, "emoji": …}', SEEDS)
    .option('--prune', 'delete categories that are not in the file; disable those that have ads')
    .option('--check', 'change nothing; exit code 8 unless all is in place')
    .action(async ({ file, prune = false, check, dryRun, reason }: SeedOptions) => {
      const seeds = await readSeeds(file);
      const counts = await withWritableContext(cli, dryRun || check, ({ ctx, actor }) =>
        seedCategories(ctx, seeds, { prune, actor, reason }),
      );
      const fields = ['created', 'updated', 'unchanged', 'pruned', 'disabled'];
      await cli.out.record({ fields }, counts);
      const changes = counts.created + counts.updated + counts.pruned + counts.disabled;
      if (check && changes > 0)
        throw new CliError(EXIT.schema, 'The categories are not in place.', 'Run: marketctl seed categories');
    });

  addCommand(noun, 'places', {
    summary: 'Puts the places of GeoNames in place: cities of 1,000 people and more; running it again changes nothing',
    description:
      'A new marketplace loads all of them by itself. In one transaction: Ctrl-C leaves what was there. Other places are removed, except those that ads refer to.',
    examples: [
      ['seed places', 'every country'],
      ['seed places --countries US,CA', 'these two alone; the places of others are removed'],
    ],
    changes: 'at once',
  })
    .option('--countries <codes>', 'ISO codes of two letters, separated by commas; default all', parseCountries)
    .action((options: PlacesOptions) => seedAllPlaces(cli, options));

  addCommand(noun, 'demo', {
    summary: 'Adds invented people, ads with photos, favorites and conversations',
    description:
      'Copied in beside what is there, in one transaction: Ctrl-C leaves nothing behind but unused photos, which go within the hour. Most ads have a place if places are loaded. From 20,000 ads on, ads cannot be read or posted until it is done.',
    examples: [
      ['seed demo', '500 ads of 25 people'],
      ['seed demo --ads 100000 --users 5000 --seed 7', 'a large one'],
    ],
    dryRun: 'add nothing; print how much it would be',
  })
    .option('--ads <n>', 'how many ads', parseWhole(1, 10_000_000), 500)
    .option('--users <n>', 'how many people; default one for 20 ads', parseWhole(1, 1_000_000))
    .option('--seed <n>', 'another number, another marketplace', parseWhole(0, 4_294_967_295), 1)
    .option('--reason <text>', 'why, for the audit log')
    .option('-y, --yes', 'in production, go on without asking')
    .action((options: DemoOptions) =>
      withContext(cli, (context) => (options.dryRun ? plan(cli, context, options) : seed(cli, context, options))),
    );
}
