import { type Command, Option } from 'commander';
import { CATEGORY_ICONS, type CategoryIcon, toEmoji, toIcon } from '../../contract/category-icons.ts';
import { WRITTEN_LANGUAGES, type WrittenLanguage } from '../../contract/languages.ts';
import type { CategoryRow } from '../../server/db/rows.ts';
import { nameIn } from '../../server/features/categories/names.ts';
import { countListedAds, listCategories } from '../../server/features/categories/repository.ts';
import {
  addCategory,
  mergeCategories,
  moveCategory,
  nameCategory,
  renameCategory,
  setCategoryDisabled,
} from '../../server/features/categories/service.ts';
import { toSlug } from '../../server/features/categories/slug.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';

const FIELDS = {
  slug: 'slug',
  name: 'name',
  icon: ({ emoji }: CategoryRow) => toIcon(emoji) ?? emoji,
  position: 'position',
  disabled: 'is_disabled',
} as const;

const print = (cli: Cli, category: CategoryRow): Promise<void> => cli.out.record({ fields: FIELDS }, category);

/** @throws {CliError} usage, naming --slug */
const proposeSlug = (name: string): string => {
  const slug = toSlug(name);
  if (slug !== '') return slug;
  throw usageError(`No slug can be made from "${name}".`, 'Give one of your own: --slug gnomes.');
};

/** @throws {CliError} usage */
const readNameIn = (given: string) => {
  const at = given.indexOf('=');
  if (at < 1) throw usageError(`"${given}" is no name in a language.`, 'Write it as de=Gartenzwerge.');
  return { language: given.slice(0, at), name: given.slice(at + 1) };
};

interface NameOptions extends MutationOptions {
  slug?: string;
  name?: string;
  icon?: CategoryIcon;
}

interface MoveOptions extends MutationOptions {
  before?: string;
  last?: boolean;
}

const createIconOption = (): Option => new Option('--icon <icon>', 'its icon').choices(CATEGORY_ICONS);

const addSwitch = (noun: Command, cli: Cli, verb: 'disable' | 'enable', summary: string): void => {
  addCommand(noun, `${verb} <category>`, {
    summary,
    examples: [[`category ${verb} tickets`, summary.toLowerCase()]],
    changes: 'at once',
  }).action(async (category: string, { dryRun, reason }: MutationOptions) => {
    const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
      setCategoryDisabled(ctx, actor, category, verb === 'disable', { reason }),
    );
    await print(cli, row);
  });
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'list', {
    summary: 'Lists categories in their order, with how many ads are listed in each',
    examples: [
      ['category list', 'all of them, disabled ones too'],
      ['category list --language de', 'as readers of German see them'],
    ],
  })
    .addOption(new Option('--language <code>', 'the language of their names').choices(WRITTEN_LANGUAGES))
    .action(({ language }: { language?: WrittenLanguage }) =>
      withContext(cli, async ({ ctx }) => {
        const [categories, ads] = await Promise.all([listCategories(ctx.db), countListedAds(ctx.db)]);
        const fields = { ...FIELDS, ads: (row: CategoryRow) => ads.get(row.id) ?? 0 };
        await cli.out.rows({ fields }, await nameIn(ctx.db, categories, language));
      }),
    );

  addCommand(noun, 'add <name>', {
    summary: 'Adds a category behind the others',
    examples: [
      ['category add "Garden Gnomes" --slug gnomes --icon sprout', 'a category with slug and icon'],
      [
        'category add "Garden Gnomes" --name-in de=Gartenzwerge fr="Nains de jardin"',
        'with its names in other languages',
      ],
    ],
    changes: 'at once',
  })
    .option('--slug <slug>', 'its name in addresses; default made from the name')
    .addOption(createIconOption().default('package'))
    .option('--name-in <language=name...>', 'what it is called in other languages of LOCALES')
    .action(async (name: string, options: NameOptions & { nameIn?: string[] }) => {
      const { slug = proposeSlug(name), icon = 'package', nameIn: given = [], dryRun, reason } = options;
      const names = given.map(readNameIn);
      const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        addCategory(ctx, actor, { slug, name, emoji: toEmoji(icon), names }, { reason }),
      );
      await print(cli, row);
    });

  addCommand(noun, 'rename <category>', {
    summary: 'Gives a category another name, slug or icon; its ads stay in it',
    examples: [['category rename books --name "Books & Music"', 'another name, the same address']],
    changes: 'at once',
  })
    .option('--name <name>', 'the new name')
    .option('--slug <slug>', 'the new slug')
    .addOption(createIconOption())
    .action(async (category: string, { name, slug, icon, dryRun, reason }: NameOptions) => {
      if (name === undefined && slug === undefined && icon === undefined)
        throw usageError('Nothing to change.', 'Give --name, --slug or --icon.');
      const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        renameCategory(ctx, actor, category, { name, slug, emoji: icon && toEmoji(icon) }, { reason }),
      );
      await print(cli, row);
    });

  addCommand(noun, 'name <category> <name>', {
    summary: 'Says what a category is called in one of LOCALES; an empty name takes it away',
    description: 'The categories of the seeds are named in all languages, as long as nobody renames them.',
    examples: [
      ['category name gnomes Gartenzwerge --language de', 'for readers of German'],
      ['category name gnomes "" --language de', 'as in the first language again'],
    ],
    changes: 'at once',
  })
    .addOption(new Option('--language <code>', 'the language').choices(WRITTEN_LANGUAGES).makeOptionMandatory())
    .action(
      async (category: string, name: string, { language, dryRun, reason }: MutationOptions & { language: string }) => {
        const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
          nameCategory(ctx, actor, category, { language, name }, { reason }),
        );
        await print(cli, row);
      },
    );

  addCommand(noun, 'merge <category>', {
    summary: 'Moves all ads of a category into another and deletes it',
    examples: [['category merge photography --into electronics --yes', 'without asking']],
    changes: 'after a yes',
  })
    .requiredOption('--into <category>', 'where the ads go')
    .action(async (from: string, { into, dryRun, yes, reason }: MutationOptions & { into: string }) => {
      await cli.confirm(`Move all ads of "${from}" into "${into}" and delete "${from}"?`, yes || dryRun);
      const ads = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        mergeCategories(ctx, actor, { from, into }, { reason }),
      );
      await cli.out.record({ fields: ['from', 'into', 'ads'] }, { from, into, ads });
    });

  addCommand(noun, 'move <category>', {
    summary: 'Gives a category another place in the order',
    examples: [
      ['category move tickets --before books', 'in front of another'],
      ['category move tickets --last', 'behind all others'],
    ],
    changes: 'at once',
  })
    .option('--before <category>', 'the one that follows it')
    .option('--last', 'behind all others')
    .action(async (category: string, { before, last, dryRun, reason }: MoveOptions) => {
      if ((before === undefined) === (last !== true)) throw usageError('Give --before or --last.');
      const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        moveCategory(ctx, actor, category, before ?? null, { reason }),
      );
      await print(cli, row);
    });

  addSwitch(noun, cli, 'disable', 'Takes a category out of forms and filters; its ads stay');
  addSwitch(noun, cli, 'enable', 'Puts a disabled category back');
}
