import { type Command, Option } from 'commander';
import { CHANNELS, type Channel } from '../../contract/notification-settings.ts';
import { sendTestNotification } from '../../server/features/notifications/test-delivery.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, getUser, type MutationOptions } from '../framework/command.ts';
import { withWritableContext } from '../framework/context.ts';
import { CliError, EXIT } from '../framework/errors.ts';

interface TestOptions extends MutationOptions {
  channel: Channel;
}

const sendTest = async (cli: Cli, target: string, { channel, dryRun }: TestOptions): Promise<void> => {
  const result = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
    const user = await getUser(ctx.db, target);
    if (user.deleted_at !== null) throw new CliError(EXIT.notFound, `User ${target} is deleted.`);
    return { ...(await sendTestNotification(ctx, actor, { userId: user.id, channel })), to: user.username ?? user.id };
  });
  await cli.out.record(
    { fields: { id: 'notificationId', to: 'to', channel: 'channel', status: 'status', error: 'error' } },
    result,
  );
  if (dryRun || result.status === 'sent') return;
  const hint = result.status === 'waiting' ? 'The server tries again at growing intervals.' : undefined;
  throw new CliError(EXIT.partial, `It was not sent: ${result.error ?? result.status}`, hint);
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'test <user>', {
    summary: 'Sends a test notification to one person, by mail or push',
    description:
      "It is sent like every notification: only if the person's settings allow it, and a mail only to a confirmed address. It stays in their list.",
    examples: [
      ['notify test @handle --channel email', 'is SMTP_URL right?'],
      ['notify test @handle --channel push', 'do the browsers of this person get it?'],
    ],
    dryRun: 'send nothing; say whether the person can be reached',
  })
    .addOption(new Option('--channel <channel>', 'how to send it').choices(CHANNELS).makeOptionMandatory())
    .action((user: string, options: TestOptions) => sendTest(cli, user, options));
}
