import type { Command } from 'commander';
import { type Maintenance, readMaintenance } from '../../server/features/settings/repository.ts';
import { endMaintenance, startMaintenance } from '../../server/features/settings/service.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions, parseDuration } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';

const printMaintenance = (cli: Cli, state: Maintenance | null): Promise<void> =>
  cli.out.record(
    { fields: ['maintenance', 'since', 'message', 'retryAfter'] },
    { maintenance: state ? 'on' : 'off', since: state?.since, message: state?.message, retryAfter: state?.retryAfter },
  );

interface OnOptions extends MutationOptions {
  message?: string;
  retryAfter: number;
}

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'on', {
    summary: 'Closes the site on every replica: everything but health checks answers 503 with Retry-After',
    examples: [['maintenance on --message "Back at ten." --retry-after 10m', 'with words for people']],
    changes: 'at once',
  })
    .option('--message <text>', 'what people read')
    .option('--retry-after <duration>', 'when browsers may ask again', parseDuration, 60_000)
    .action(async ({ message, retryAfter, dryRun, reason }: OnOptions) => {
      const state = await withWritableContext(cli, dryRun, ({ ctx, actor }) => {
        const closing = { message: message ?? null, retryAfter: Math.ceil(retryAfter / 1000) };
        return startMaintenance(ctx, actor, closing, { reason });
      });
      await printMaintenance(cli, state);
    });

  addCommand(noun, 'off', {
    summary: 'Opens the site again',
    examples: [['maintenance off', 'on every replica, at once']],
    changes: 'at once',
  }).action(async ({ dryRun, reason }: MutationOptions) => {
    const wasOn = await withWritableContext(cli, dryRun, ({ ctx, actor }) => endMaintenance(ctx, actor, { reason }));
    if (!wasOn) cli.say('It was off already.');
    await printMaintenance(cli, null);
  });

  addCommand(noun, 'status', {
    summary: 'Says whether the site is closed',
    examples: [['maintenance status -q', 'on or off']],
  }).action(() => withContext(cli, async ({ ctx }) => printMaintenance(cli, await readMaintenance(ctx.db))));
}
