import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Page } from '../../server/db/pagination.ts';
import type { Cli } from './cli.ts';
import type { Output, RowShape } from './output.ts';

export interface MutationOptions {
  dryRun?: boolean;
  yes?: boolean;
  reason?: string;
}

export interface CommandSpec {
  summary: string;
  description?: string;
  /** Command lines without `marketctl`, each with its effect. */
  examples: readonly (readonly [line: string, does: string])[];
}

const toExamples = (examples: CommandSpec['examples']): string =>
  `\nExamples:\n${examples.map(([line, does]) => `  # ${does}\n  $ marketctl ${line}`).join('\n')}\n`;

/** Adds `usage` ("ban <user...>") to a noun, with its help. */
export const addCommand = (noun: Command, usage: string, { summary, description, examples }: CommandSpec): Command =>
  noun
    .command(usage)
    .summary(summary)
    .description(description ? `${summary}. ${description}` : summary)
    .addHelpText('after', toExamples(examples));

const IN_TRANSACTION = 'do it in a transaction that is rolled back, and print what would have changed';

/** Adds --dry-run; `how` describes a dry run that is not a transaction rolled back. */
export const addDryRun = (leaf: Command, how = IN_TRANSACTION): Command => leaf.option('-n, --dry-run', how);

/** Adds --dry-run and --reason; `asks` adds --yes. */
export const addMutationOptions = (leaf: Command, { asks = false } = {}): Command => {
  addDryRun(leaf);
  leaf.option('--reason <text>', 'why, for the audit log');
  return asks ? leaf.option('-y, --yes', 'go on without asking') : leaf;
};

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

export const parseDuration = (value: string): number => {
  const [, number, unit] = /^(\d{1,6})(ms|s|m|h|d|w)$/.exec(value) ?? [];
  if (!number) throw new InvalidArgumentError('Use a duration such as 90s, 10m, 24h or 30d.');
  return Number(number) * UNITS[unit as keyof typeof UNITS];
};

export const parseTime = (value: string): string => {
  if (/^\d+(ms|s|m|h|d|w)$/.test(value)) return new Date(Date.now() - parseDuration(value)).toISOString();
  const time = /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'Use a date such as 2026-11-21, a time such as 2026-11-21T04:00Z, or 7d for 7 days ago.',
    );
  return time.toISOString();
};

export const parseWhole =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d{1,10}$/.test(value) || number < min || number > max)
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
    return number;
  };

export interface PageOptions {
  limit: number;
  cursor?: string;
  all?: boolean;
}

export const addPageOptions = (leaf: Command): Command =>
  leaf
    .addOption(new Option('--limit <n>', 'rows of a page').argParser(parseWhole(1, 100)).default(50))
    .option('--cursor <cursor>', 'where the page starts: from the line that the page before ended with')
    .option('--all', 'every page');

export const isId = (id: string): boolean => /^[1-9]\d{0,18}$/.test(id) && BigInt(id) < 2n ** 63n;

export async function printPages<T extends object>(
  cli: Cli,
  shape: RowShape<T>,
  options: PageOptions,
  list: (page: { cursor: string | undefined; limit: number }) => Promise<Page<T>>,
  out: Output = cli.out,
): Promise<void> {
  const { limit, all } = options;
  let next: string | null = options.cursor ?? null;
  async function* followPages(): AsyncIterable<T> {
    do {
      const page = await list({ cursor: next ?? undefined, limit });
      yield* page.rows;
      next = page.nextCursor;
    } while (all && next !== null);
  }
  const count = await out.rows(shape, followPages());
  if (count === 0) cli.say('Nothing found.');
  if (next !== null) cli.say(`More: add --cursor ${next}, or --all`);
}
