import { type Command, InvalidArgumentError } from 'commander';
import { CURRENCY_CODES } from '../../server/config/currencies.ts';
import { countAmounts, readCurrency } from '../../server/features/currency/repository.ts';
import { convertCurrency, findMismatch } from '../../server/features/currency/service.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { announceDryRun, withContext } from '../framework/context.ts';
import { startProgress } from '../framework/terminal.ts';

const parseCode = (value: string): string => {
  const code = value.toUpperCase();
  if (!CURRENCY_CODES.includes(code)) throw new InvalidArgumentError(`Use one of ${CURRENCY_CODES.join(', ')}.`);
  return code;
};

const parseRate = (value: string): string => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value) || Number(value) === 0)
    throw new InvalidArgumentError('Use a number above 0 such as 0.92.');
  return value;
};

interface ConvertOptions extends MutationOptions {
  to: string;
  rate: string;
}

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'show', {
    summary: 'Prints the currency that the amounts are in, and the one of CURRENCY',
    examples: [['currency show', 'both, and a conversion that is not complete']],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      const configured = ctx.config.currency.code;
      const stored = await readCurrency(ctx.db);
      await cli.out.record(
        { fields: ['currency', 'configured', 'convertingTo', 'rate'] },
        {
          currency: stored?.code ?? null,
          configured,
          convertingTo: stored?.conversion?.to ?? null,
          rate: stored?.conversion?.rate ?? null,
        },
      );
      const mismatch = stored && findMismatch(stored, configured);
      if (mismatch) cli.say(mismatch);
    }),
  );

  addCommand(noun, 'convert', {
    summary: 'Converts every amount of the marketplace to another currency',
    description:
      'Prices, former prices, offers, the limits of saved searches, figures of sales and reported prices; texts that were sent stay as they are, except those of offers. Make a backup first. The site is closed meanwhile and afterwards: start the servers with the new CURRENCY, then marketctl maintenance off. A batch at a time: after an interruption, the same command goes on.',
    examples: [
      ['currency convert --to EUR --rate 0.92 --dry-run', 'how many amounts there are'],
      ['currency convert --to EUR --rate 0.92', 'a dollar becomes 0.92 euros'],
    ],
    changes: 'after a yes',
    dryRun: 'change nothing; print how many rows have amounts',
  })
    .requiredOption('--to <code>', 'the new currency, by ISO 4217', parseCode)
    .requiredOption('--rate <number>', 'what one of the former currency is in the new one', parseRate)
    .action(({ to, rate, dryRun, yes, reason }: ConvertOptions) =>
      withContext(cli, async ({ ctx, actor }) => {
        const print = async () => cli.out.rows({ fields: ['table', 'rows'] }, await countAmounts(ctx.db));
        if (announceDryRun(cli, dryRun)) {
          await print();
          return cli.say('Make a backup before: marketctl backup create');
        }
        await cli.confirm(
          `Convert every amount to ${to}, times ${rate}? Only a backup brings the former ones back.`,
          yes,
        );
        const progress = startProgress(cli, 'batches');
        const options = { to, rate, onProgress: progress.at };
        await convertCurrency(ctx, actor, options, { reason }).finally(progress.end);
        await print();
        cli.say(`Set CURRENCY=${to}, start every server again, then: marketctl maintenance off`);
      }),
    );
}
