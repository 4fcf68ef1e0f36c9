import type { Command } from 'commander';
import { SynonymInput } from '../../contract/synonyms.ts';
import { lexiconOf } from '../../server/features/ads/search/lexicon.ts';
import { listSynonyms, type SynonymRow } from '../../server/features/ads/search/synonyms-repository.ts';
import {
  addSynonyms,
  listBuiltInSynonyms,
  removeSynonymsOf,
} from '../../server/features/ads/search/synonyms-service.ts';
import { readIndexProgress } from '../../server/features/ads/search/terms-repository.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';

const SHAPE = {
  fields: {
    id: 'id',
    words: ({ words }: SynonymRow) => words.join(', '),
    language: 'language',
    oneWay: 'is_one_way',
    createdAt: 'created_at',
  } as const,
};

const parseInput = (input: { words: string[]; language?: string | undefined; isOneWay?: boolean | undefined }) => {
  const parsed = SynonymInput.safeParse(input);
  if (!parsed.success) throw usageError(parsed.error.issues[0]?.message ?? 'These words are not valid');
  return parsed.data;
};

interface AddOptions extends MutationOptions {
  language?: string;
  oneWay?: boolean;
}

const showStatus = (cli: Cli): Promise<void> =>
  withContext(cli, async ({ ctx }) => {
    const { grammar, rules } = lexiconOf(ctx);
    const { indexed, total } = await readIndexProgress(ctx.db, rules);
    await cli.out.record(
      { fields: ['languages', 'ads', 'indexed', 'waiting', 'percent'] },
      {
        languages: grammar.languages.join(','),
        ads: total,
        indexed,
        waiting: total - indexed,
        percent: total === 0 ? 100 : Math.floor((100 * indexed) / total),
      },
    );
  });

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'status', {
    summary: 'Says how many ads are indexed by the present rules and languages',
    description:
      'After an upgrade or a change of SEARCH_LANGUAGES, the job index-ads reads all ads again while the site runs; until then they are found by their former words.',
    examples: [
      ['search status', 'how far the job is'],
      ['search status -o json --fields waiting', 'one number for a script'],
    ],
  }).action(() => showStatus(cli));

  const synonyms = noun.command('synonyms').summary('words that mean the same').description('Words that mean the same');

  addCommand(synonyms, 'list', {
    summary: 'Lists the groups of words that operators added',
    examples: [['search synonyms list', 'all of them; the built-in groups are not listed']],
  }).action(() => withContext(cli, async ({ ctx }) => void (await cli.out.rows(SHAPE, await listSynonyms(ctx.db)))));

  addCommand(synonyms, 'add <word...>', {
    summary: 'Makes words or phrases find each other, on every replica within ten seconds',
    description: 'A word that is in a group of yours uses yours only, and no built-in group.',
    examples: [
      ['search synonyms add bike bicycle "push bike"', 'each of them finds the others'],
      ['search synonyms add sofa loveseat --one-way', 'sofa also finds loveseat, but not the reverse'],
    ],
    changes: 'at once',
  })
    .option('--language <code>', 'the language, an ISO code; default all')
    .option('--one-way', 'the first word also finds the others, but not the reverse')
    .action(async (words: string[], { language, oneWay, dryRun, reason }: AddOptions) => {
      const input = parseInput({ words, language, isOneWay: oneWay });
      if (input.words.length < 2)
        throw usageError(
          'A group needs two words or phrases at least.',
          `To switch the built-in synonyms of a word off: marketctl search synonyms remove "${words[0]}" --built-in`,
        );
      const { group } = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        addSynonyms(ctx, actor, input, { reason }),
      );
      await cli.out.rows(SHAPE, [group]);
    });

  addCommand(synonyms, 'remove <word>', {
    summary: 'Removes the groups of operators that have a word; it uses the built-in groups again',
    examples: [
      ['search synonyms remove bike', 'without your groups that have bike'],
      ['search synonyms remove bike --built-in', 'bike finds only itself, until you remove it again'],
    ],
    changes: 'at once',
  })
    .option('--built-in', 'switch the built-in synonyms of the word off as well')
    .action(async (word: string, { builtIn, dryRun, reason }: MutationOptions & { builtIn?: boolean }) => {
      const input = parseInput({ words: [word] });
      const rows = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        if (!builtIn) return removeSynonymsOf(ctx, actor, word, { reason });
        await removeSynonymsOf(ctx, actor, word, { reason });
        const { group } = await addSynonyms(ctx, actor, input, { reason });
        return [group];
      });
      if (rows.length > 0) return void (await cli.out.rows(SHAPE, rows));
      const [known] = listBuiltInSynonyms(word);
      throw known
        ? new CliError(
            EXIT.notFound,
            `Only a built-in group has "${word}": ${known.words.join(', ')}.`,
            `To switch it off for this word: marketctl search synonyms remove "${word}" --built-in`,
          )
        : new CliError(EXIT.notFound, `No group has "${word}".`);
    });
}
