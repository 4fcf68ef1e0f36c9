import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { CategorySeed } from '../../server/features/categories/store.ts';
import type { Cli } from '../cli.ts';
import { addLeaf, addMutationOptions, type MutationOptions } from '../declare.ts';
import { CliError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { withWritableApp } from '../with-app.ts';

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
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.notFound, `${file} cannot be read: ${error.code}`);
  });
  const seeds = parseSeeds(text);
  if (!Array.isArray(seeds) || !seeds.every(isSeed))
    throw usageError(`${file} is not a list of {"slug": …, "name": …, "emoji": …}`);
  return seeds.map(({ slug, name, emoji }) => ({ slug, name, emoji: emoji ?? '📦' }));
};

/** The categories of seeds/categories.json, or of another file. */
export function addCategories(noun: Command, cli: Cli): void {
  addMutationOptions(
    addLeaf(noun, 'categories', {
      summary: 'Puts the categories in place; running it again changes nothing',
      examples: [
        ['seed categories', 'the 25 categories'],
        [
          'seed categories --file mine.json --prune',
          'your own; what is not in the file is deleted, or disabled where it has ads',
        ],
        ['seed categories --check', 'exit code 8 unless they are in place'],
      ],
    }),
  )
    .option('--file <file>', 'list of {"slug": …, "name": …, "emoji": …}', SEEDS)
    .option('--prune', 'delete categories that are not in the file; disable those that have ads')
    .option('--check', 'change nothing; exit code 8 unless all is in place')
    .action(async ({ file, prune = false, check, dryRun, reason }: SeedOptions) => {
      const seeds = await readSeeds(file);
      const { seedCategories } = await import('../../server/features/categories/actions.ts');
      const counts = await withWritableApp(cli, dryRun || check, ({ app, actor }) =>
        seedCategories(app, seeds, { prune, actor, reason }),
      );
      const fields = ['created', 'updated', 'unchanged', 'pruned', 'disabled'];
      await cli.out.record({ fields }, { ...counts });
      const changes = counts.created + counts.updated + counts.pruned + counts.disabled;
      if (check && changes > 0)
        throw new CliError(EXIT.schema, 'The categories are not in place.', 'Run: marketctl seed categories');
    });
}
