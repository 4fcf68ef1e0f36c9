import type { Command } from 'commander';
import { lexiconOf } from '../../server/features/ads/search/lexicon.ts';
import { readIndexProgress } from '../../server/features/ads/search/terms-repository.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand } from '../framework/command.ts';
import { withContext } from '../framework/context.ts';

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
}
