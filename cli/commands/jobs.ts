import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AppContext } from '../../server/app-context.ts';
import { MAX_CLOCK_OFFSET } from '../../server/config/values.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { recordAudit } from '../../server/features/audit/repository.ts';
import { jobHandlers } from '../../server/job-handlers.ts';
import { enqueue, listQueuedJobs, PERIODIC_JOBS, type QueuedJob, retryJobs } from '../../server/jobs/queue.ts';
import { runDueJobs, startWorker } from '../../server/jobs/worker.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions, parseDuration, parseWhole } from '../framework/command.ts';
import { announceDryRun, withContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';

const FIELDS = {
  id: 'id',
  name: 'name',
  state: 'state',
  runAt: 'run_at',
  attempts: 'attempts',
  maxAttempts: 'max_attempts',
  lastError: 'last_error',
  createdAt: 'created_at',
} as const;
const TABLE = ['id', 'name', 'state', 'runAt', 'attempts', 'maxAttempts', 'lastError'];

interface ListOptions {
  state?: QueuedJob['state'];
  name?: string;
  limit: number;
}

const runDaemon = (cli: Cli): Promise<void> =>
  withContext(cli, async ({ ctx }) => {
    const worker = startWorker(ctx, jobHandlers);
    cli.say('Working on the queue; Ctrl-C finishes the running jobs, or gives them back, and ends.');
    // a timer keeps the process alive
    while (!cli.signal.aborted) await sleep(60_000, undefined, { signal: cli.signal }).catch(() => {});
    await worker.stop(ctx.config.shutdownTimeout);
    cli.say('Stopped; every job that was begun is finished or back in the queue.');
  });

/** Reads a time as the milliseconds by which the clock is to be moved from the real time. */
const parseNow = (value: string): number => {
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\S+)?$/.test(value);
  const offset = value.startsWith('+') ? readAhead(value.slice(1)) : isMoment ? Date.parse(value) - Date.now() : NaN;
  if (Number.isNaN(offset))
    throw new InvalidArgumentError('Use a time such as 2026-11-21T04:00Z, or +49h for in 49 hours.');
  if (Math.abs(offset) > MAX_CLOCK_OFFSET) throw new InvalidArgumentError('Use a time within ten years of today.');
  return offset;
};

const readAhead = (duration: string): number => (/^\d{1,6}[smhdw]$/.test(duration) ? parseDuration(duration) : NaN);

type RunArguments = MutationOptions & { daemon?: boolean; now?: number };

interface RunOptions {
  isDryRun: boolean;
  /** Milliseconds; undefined: the real time. */
  clockOffset: number | undefined;
}

const runNamed = (cli: Cli, name: string, { isDryRun, clockOffset }: RunOptions): Promise<void> =>
  withContext(
    cli,
    async ({ ctx }) => {
      const periodic = PERIODIC_JOBS.find((known) => known === name);
      if (!periodic)
        throw new CliError(EXIT.notFound, `There is no job "${name}" to run.`, `Jobs: ${PERIODIC_JOBS.join(', ')}`);
      const shape = { fields: ['name', 'status', 'seconds'] };
      if (announceDryRun(cli, isDryRun)) return cli.out.record(shape, { name, status: 'would run' });
      const started = performance.now();
      await jobHandlers[periodic](ctx, {} as never, { attempt: 1, maxAttempts: 1, signal: cli.signal });
      const seconds = Math.round(performance.now() - started) / 1000;
      await cli.out.record(shape, { name, status: 'done', seconds });
    },
    { clockOffset },
  );

/** The crontab follows the real time, so at a moved time each periodic job is enqueued once. */
const enqueuePeriodic = ({ db }: AppContext): Promise<void> =>
  inTransaction(db, async (trx) => {
    for (const name of PERIODIC_JOBS) await enqueue(trx, name, {}, { key: name, maxAttempts: 1 });
  });

const runDue = (cli: Cli, { isDryRun, clockOffset }: RunOptions): Promise<void> =>
  withContext(
    cli,
    async ({ ctx }) => {
      const isMoved = clockOffset !== undefined;
      const listDue = async () => {
        const due = await listQueuedJobs(ctx.db, { state: 'waiting', isDue: true, limit: 100_000 });
        const periodic = isMoved ? PERIODIC_JOBS.filter((name) => due.every((job) => job.name !== name)) : [];
        const jobs = [...due, ...periodic.map((name) => ({ id: null, name }))];
        return jobs.map(({ id, name }) => ({ id, name, status: 'would run' }));
      };
      const runThem = async () => {
        if (isMoved) await enqueuePeriodic(ctx);
        return runDueJobs(ctx, jobHandlers);
      };
      const results = await (announceDryRun(cli, isDryRun) ? listDue() : runThem());
      await cli.out.rows<{ status: string }>({ fields: ['id', 'name', 'status', 'error'] }, results);
      if (results.length === 0) cli.say('Nothing was due.');
      const failed = results.filter(({ status }) => status === 'failed').length;
      if (failed > 0) throw new CliError(EXIT.partial, `${failed} of ${results.length} failed.`, FAILED_HINT);
    },
    { clockOffset },
  );

const FAILED_HINT = '"marketctl jobs list" says which are tried again, and when.';

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'list', {
    summary: 'Lists what the queue holds, next first',
    examples: [['jobs list --state failed', 'those that have used up their attempts']],
  })
    .addOption(new Option('--state <state>', 'only these').choices(['waiting', 'running', 'failed']))
    .option('--name <name>', 'only jobs of this name')
    .option('--limit <n>', 'how many', parseWhole(1, 100_000), 100)
    .action((options: ListOptions) =>
      withContext(cli, async ({ ctx }) => {
        const count = await cli.out.rows({ fields: FIELDS, table: TABLE }, await listQueuedJobs(ctx.db, options));
        const isFiltered = options.state !== undefined || options.name !== undefined;
        if (count === 0) cli.say(isFiltered ? 'No such jobs.' : 'The queue is empty.');
      }),
    );

  addCommand(noun, 'run [name]', {
    summary: 'Runs a periodic job now; without a name, every job that is due',
    examples: [
      ['jobs run', 'what is due, then end'],
      ['jobs run --dry-run', 'what is due'],
      ['jobs run expire-ads', 'one job now'],
      ['jobs run --daemon', 'a worker beside the servers, until Ctrl-C'],
      ['jobs run --now +49h', 'every periodic job and what is due in 49 hours; not in production'],
    ],
    dryRun: 'run nothing; print what would run. Jobs send mail and speak to X: no transaction takes that back',
  })
    .option('--daemon', 'go on working on the queue until stopped')
    .option(
      '--now <time>',
      'as if it were this time, such as 2026-11-21T04:00Z, or +49h; every periodic job runs, too. Refused in production',
      parseNow,
    )
    .action((name: string | undefined, { daemon, dryRun = false, now }: RunArguments) => {
      const other = (name && 'a name') || (dryRun && '--dry-run') || (now !== undefined && '--now');
      if (daemon && other) throw usageError(`Give either ${other} or --daemon.`);
      if (daemon) return runDaemon(cli);
      const options = { isDryRun: dryRun, clockOffset: now };
      return name ? runNamed(cli, name, options) : runDue(cli, options);
    });

  addCommand(noun, 'retry [id...]', {
    summary: 'Resets the attempts of jobs and makes them due now',
    examples: [
      ['jobs retry --failed', 'all that have failed'],
      ['jobs retry 17', 'one of them'],
    ],
    changes: 'at once',
  })
    .option('--failed', 'every job that has used up its attempts')
    .action(async (ids: string[], { failed, dryRun, reason }: MutationOptions & { failed?: boolean }) => {
      if ((ids.length === 0) === !failed) throw usageError('Give either ids or --failed.');
      if (!ids.every((id) => /^\d{1,18}$/.test(id))) throw usageError('An id is a number.');
      const retried = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        return ctx.db.transaction(async (trx) => {
          const wanted = failed
            ? (await listQueuedJobs(trx, { state: 'failed', limit: 100_000 })).map((job) => job.id)
            : ids;
          const done = await retryJobs(trx, wanted);
          if (done.length > 0) await recordAudit(trx, actor, { action: 'job.retry', details: { ids: done, reason } });
          return done;
        });
      });
      await cli.out.rows(
        { fields: ['id'] },
        retried.map((id) => ({ id })),
      );
      if (failed && retried.length === 0) cli.say('No job has failed.');
      // the database drops leading zeros
      const missing = ids.filter((id) => !retried.includes(String(BigInt(id))));
      if (missing.length > 0)
        throw new CliError(
          retried.length > 0 ? EXIT.partial : EXIT.notFound,
          `There is no such job, or it is running: ${missing.join(', ')}.`,
        );
    });
}
