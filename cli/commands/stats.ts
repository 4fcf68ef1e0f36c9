import { type Command, InvalidArgumentError, Option } from 'commander';
import { AdminStats } from '../../contract/admin.ts';
import { pluralize } from '../../contract/plural.ts';
import { isTimeZone } from '../../server/config/values.ts';
import { readAdminStats } from '../../server/features/admin/repository.ts';
import { type Bucket, METRIC_NAMES, type MetricName, streamStats } from '../../server/features/stats/repository.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, parseTime } from '../framework/command.ts';
import { nameDatabaseInErrors, withConfig, withContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';
import { clearBeforeEach, startProgress } from '../framework/terminal.ts';

interface ExportOptions {
  bucket: Bucket;
  from: string;
  to?: string;
  metric?: string[];
  tz?: string;
  out: string;
}

const DEFAULT_FROM = '30d';

const parseFrom = (value: string): string => (value === 'start' ? value : parseTime(value));

const parseZone = (value: string): string => {
  if (!isTimeZone(value)) throw new InvalidArgumentError('Use the name of a time zone such as Europe/Berlin or UTC.');
  return value;
};

const checkMetrics = (asked: readonly string[]): MetricName[] => {
  const unknown = asked.filter((name) => !METRIC_NAMES.includes(name as MetricName));
  if (unknown.length > 0)
    throw usageError(`Unknown metric: ${unknown.join(', ')}`, `Metrics: ${METRIC_NAMES.join(', ')}`);
  return asked as MetricName[];
};

const runExport = async (cli: Cli, options: ExportOptions): Promise<void> => {
  const metrics = options.metric ? checkMetrics(options.metric) : METRIC_NAMES;
  const from = options.from === DEFAULT_FROM ? parseTime(DEFAULT_FROM) : options.from;
  const to = options.to ?? new Date().toISOString();
  if (from !== 'start' && from >= to) throw usageError('--from must be before --to.');
  await withConfig(cli, async (config) => {
    const progress = startProgress(cli, 'Rows');
    const url = config.databaseReplicaUrl ?? config.databaseUrl;
    const rows = streamStats(
      { url, name: 'tradepost marketctl', signal: cli.signal },
      {
        bucket: options.bucket,
        metrics,
        from: from === 'start' ? undefined : from,
        to,
        timeZone: options.tz ?? config.timeZone,
      },
    );
    const shape = { fields: ['bucket', ...metrics], format: 'csv' as const };
    async function* countRows() {
      let count = 0;
      for await (const row of rows) {
        yield row;
        progress.at(++count);
      }
    }
    const printing = cli.to(options.out, (out) => out.rows(shape, clearBeforeEach(progress, countRows())));
    const count = await nameDatabaseInErrors(url, printing).finally(progress.end);
    if (options.out !== '-') cli.say(`${options.out} has ${pluralize(count, 'row')}.`);
  });
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'show', {
    summary: 'Prints the numbers of the administration: users, ads, visits, this month',
    examples: [
      ['stats show', 'how the marketplace is doing'],
      ['stats show -o json --fields pendingAds', 'one number for a script'],
    ],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      const stats = await readAdminStats(ctx.reads, ctx.config.timeZone);
      const topCategories = stats.topCategories.map(({ category, count }) => `${category} ${count}`).join(', ');
      await cli.out.record(
        { fields: Object.keys(AdminStats.shape) },
        { ...stats, ...(cli.isTable() && { topCategories }) },
      );
    }),
  );

  addCommand(noun, 'export', {
    summary: 'Writes numbers by hour, day, week or month, as CSV unless -o says otherwise',
    description:
      'Streamed from one snapshot: memory does not grow with the marketplace. Buckets without events are zeros.',
    examples: [
      ['stats export --bucket day >stats.csv', 'the last 30 days'],
      ['stats export --bucket month --from start --tz Europe/Berlin --out stats.csv', 'all there is, into a file'],
      ['stats export --bucket hour --from 2d --metric ads,messages -o ndjson', 'two numbers by the hour'],
    ],
  })
    .addOption(
      new Option('--bucket <bucket>', 'how long a row is').choices(['hour', 'day', 'week', 'month']).default('day'),
    )
    .addOption(
      new Option('--from <time>', 'first moment: a date, 7d for 7 days ago, or start')
        .argParser(parseFrom)
        .default(DEFAULT_FROM),
    )
    .option('--to <time>', 'first moment that is not in it; default now', parseTime)
    .option('--metric <names>', 'these only, separated by commas', (value: string) => value.split(','))
    .option('--tz <zone>', "time zone of the buckets; default the marketplace's (TZ)", parseZone)
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action((options: ExportOptions) => runExport(cli, options));
}
