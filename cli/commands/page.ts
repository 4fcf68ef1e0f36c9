import { readFile } from 'node:fs/promises';
import { Argument, type Command, Option } from 'commander';
import { WRITTEN_LANGUAGES } from '../../contract/languages.ts';
import {
  type EditedPage,
  PAGE_TEXT_LIMITS,
  TEXT_PAGES,
  type TextPage,
  updatePage as updatePageSpec,
} from '../../contract/page-texts.ts';
import { PLACEHOLDERS } from '../../contract/placeholders.ts';
import {
  getPage,
  getPageVersion,
  listPages,
  resetPage,
  restorePage,
  updatePage,
} from '../../server/features/pages/service.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { refuseUnreadable, usageError } from '../framework/errors.ts';
import { readStdin } from '../framework/terminal.ts';

const SHAPE = { fields: ['page', 'language', 'text', 'version', 'savedAt', 'savedBy', 'characters'] };
const VERSIONS = { fields: ['version', 'savedAt', 'savedBy', 'text', 'characters'] };

type Summary = Pick<EditedPage, 'page' | 'language' | 'isBuiltIn' | 'version' | 'versions' | 'text'>;

const nameText = (isBuiltIn: boolean, text: string): string => (!isBuiltIn ? 'own' : text === '' ? 'none' : 'built-in');

const toRow = ({ page, language, isBuiltIn, version, versions: [last], text }: Summary) => ({
  page,
  language,
  text: nameText(isBuiltIn, text),
  version,
  savedAt: last?.savedAt ?? null,
  savedBy: last?.savedBy ?? null,
  characters: text.length,
});

const createPageArgument = (): Argument => new Argument('<page>', 'which').choices(TEXT_PAGES);

interface InLanguage {
  language?: string;
}

const createLanguageOption = (): Option =>
  new Option('--language <code>', 'one of LOCALES; by default the first').choices(WRITTEN_LANGUAGES);

const readText = async (cli: Cli, file: string): Promise<string> => {
  const text = file === '-' ? await readStdin(cli) : await readFile(file, 'utf8').catch(refuseUnreadable(file));
  const parsed = updatePageSpec.body.safeParse({ text });
  if (!parsed.success) throw usageError(parsed.error.issues[0]?.message ?? 'The text is not valid.');
  return parsed.data.text;
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'list', {
    summary: 'Lists the pages whose text can be changed',
    examples: [
      ['page list', 'which have a text of your own'],
      ['page list --language de', 'in German'],
    ],
  })
    .addOption(createLanguageOption())
    .action(({ language }: InLanguage) =>
      withContext(cli, async ({ ctx, actor }) => {
        await cli.out.rows(SHAPE, (await listPages(ctx, actor, language)).map(toRow));
      }),
    );

  addCommand(noun, 'show', {
    summary: 'Prints the text of a page in Markdown',
    examples: [
      ['page show terms-of-service >terms.md', 'to change it'],
      ['page show terms-of-service --version 12', 'as it was'],
      ['page show privacy --language de', 'in German'],
    ],
  })
    .addArgument(createPageArgument())
    .option('--version <id>', 'a former version')
    .addOption(createLanguageOption())
    .action((page: TextPage, { version, language }: InLanguage & { version?: string }) =>
      withContext(cli, async ({ ctx, actor }) => {
        const edited = { page, language };
        const { text } =
          version === undefined ? await getPage(ctx, actor, edited) : await getPageVersion(ctx, actor, edited, version);
        await cli.out.raw(text === '' ? '' : `${text}\n`);
      }),
    );

  addCommand(noun, 'set', {
    summary: 'Changes the text of a page in a language; the page shows it within a second',
    description: `Markdown without HTML and images, at most ${PAGE_TEXT_LIMITS.text} characters. In braces: ${Object.entries(
      PLACEHOLDERS,
    )
      .map(([name, hint]) => `{${name}} ${hint}`)
      .join('; ')}.`,
    examples: [
      ['page set imprint imprint.md', 'from a file; the imprint exists once it has text'],
      ['page set privacy - <privacy.md', 'from standard input'],
      ['page set privacy datenschutz.md --language de', 'for readers of German'],
    ],
    changes: 'at once',
  })
    .addArgument(createPageArgument())
    .argument('<file>', 'the text; - is standard input')
    .addOption(createLanguageOption())
    .action(async (page: TextPage, file: string, { dryRun, reason, language }: MutationOptions & InLanguage) => {
      const text = await readText(cli, file);
      const after = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        updatePage(ctx, actor, { page, language }, { text }, { reason }),
      );
      await cli.out.rows(SHAPE, [toRow(after)]);
    });

  addCommand(noun, 'history', {
    summary: `Lists the versions of a page, the newest first; the last ${PAGE_TEXT_LIMITS.versions} are kept`,
    examples: [['page history privacy', 'who changed it, and when']],
  })
    .addArgument(createPageArgument())
    .addOption(createLanguageOption())
    .action((page: TextPage, { language }: InLanguage) =>
      withContext(cli, async ({ ctx, actor }) => {
        const { versions } = await getPage(ctx, actor, { page, language });
        const rows = versions.map(({ id, isBuiltIn, ...version }) => ({
          ...version,
          version: id,
          text: isBuiltIn ? 'built-in' : 'own',
        }));
        await cli.out.rows(VERSIONS, rows);
      }),
    );

  addCommand(noun, 'restore', {
    summary: 'Makes a former version the text of the page again',
    examples: [['page restore privacy 12', 'the version of which page history prints the number']],
    changes: 'at once',
  })
    .addArgument(createPageArgument())
    .argument('<version>', 'its number')
    .addOption(createLanguageOption())
    .action(async (page: TextPage, id: string, { dryRun, reason, language }: MutationOptions & InLanguage) => {
      const after = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        restorePage(ctx, actor, { page, language }, { id }, { reason }),
      );
      await cli.out.rows(SHAPE, [toRow(after)]);
    });

  addCommand(noun, 'reset', {
    summary: 'Brings the built-in text back; your own stays in the history',
    description: 'In another language than the first, readers see your text in the first one, if there is any.',
    examples: [['page reset terms-of-service', 'the built-in terms']],
    changes: 'at once',
  })
    .addArgument(createPageArgument())
    .addOption(createLanguageOption())
    .action(async (page: TextPage, { dryRun, reason, language }: MutationOptions & InLanguage) => {
      const after = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        resetPage(ctx, actor, { page, language }, { reason }),
      );
      await cli.out.rows(SHAPE, [toRow(after)]);
    });
}
