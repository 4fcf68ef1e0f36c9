import type { Command } from 'commander';
import { LIMITS } from '../../contract/limits.ts';
import { sendNotice as contract } from '../../contract/notifications.ts';
import { pluralize } from '../../contract/plural.ts';
import { sendNotice } from '../../server/features/notifications/notices.ts';
import { countReceivers } from '../../server/features/notifications/notices-repository.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, getUser, type MutationOptions } from '../framework/command.ts';
import { withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';

interface SendOptions extends MutationOptions {
  to?: string;
  everyone?: boolean;
  title: string;
  body: string;
}

const parseText = (title: string, body: string): { title: string; body: string } => {
  const parsed = contract.body.safeParse({ title, body });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(
    `--${String(issue?.path[0])}: ${issue?.message}`,
    `A title has ${LIMITS.noticeTitle} characters, a body ${LIMITS.noticeBody}.`,
  );
};

const send = async (cli: Cli, { to, everyone, title, body, yes, dryRun, reason }: SendOptions): Promise<void> => {
  if ((to === undefined) === !everyone) throw usageError('Give either --to or --everyone.');
  const text = parseText(title, body);
  const row = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
    if (to === undefined)
      await cli.confirm(
        `Send "${text.title}" to ${pluralize(await countReceivers(ctx.db), 'person', 'people')}?`,
        yes || dryRun,
      );
    const user = to === undefined ? undefined : await getUser(ctx.db, to);
    if (user && user.deleted_at !== null) throw new CliError(EXIT.notFound, `User ${to} is deleted.`);
    const notice = await sendNotice(ctx, actor, { ...text, receiverId: user?.id }, { reason });
    return { ...notice, to: user ? (user.username ?? user.id) : 'everyone' };
  });
  if (everyone && !dryRun) cli.say('A job of the server delivers it in batches.');
  await cli.out.record({ fields: ['id', 'to', 'recipients'] }, row);
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'send', {
    summary: 'Sends a notice to one person, or to everyone who is not banned',
    description: 'It appears under Notifications and cannot be taken back.',
    examples: [
      ['notice send --to @handle --title "Your ad" --body "Please add a photo."', 'to one person'],
      ['notice send --everyone --title "New rules" --body "Read them at /terms-of-service." --yes', 'in a script'],
      ['notice send --everyone --title Hello --body Hello --dry-run', 'how many people would get it'],
    ],
    changes: 'after a yes',
  })
    .option('--to <user>', 'an id or @handle')
    .option('--everyone', 'everyone who is not banned')
    .requiredOption('--title <text>', `at most ${LIMITS.noticeTitle} characters`)
    .requiredOption('--body <text>', `at most ${LIMITS.noticeBody} characters`)
    .action((options: SendOptions) => send(cli, options));
}
