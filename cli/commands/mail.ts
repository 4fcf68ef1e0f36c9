import { type Command, Option } from 'commander';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../contract/notifications.ts';
import { readConfig } from '../../server/config/load.ts';
import { sampleNotification } from '../../server/features/notifications/mail-samples.ts';
import { buildNotificationMail } from '../../server/features/notifications/notification-mail.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand } from '../framework/command.ts';
import { usageError } from '../framework/errors.ts';

/** Its links must work nowhere. */
const PREVIEW_KEYS = ['signs-links-of-previews-that-work-nowhere'];

const isKind = (name: string): name is NotificationKind => NOTIFICATION_KINDS.some((kind) => kind === name);

const preview = async (cli: Cli, kind: string, { html, out }: { html?: boolean; out: string }): Promise<void> => {
  if (!isKind(kind)) throw usageError(`There is no kind "${kind}".`, `Kinds: ${NOTIFICATION_KINDS.join(', ')}`);
  const config = { ...readConfig(cli.environment(), []), sessionKeys: PREVIEW_KEYS };
  const ctx = { config, clock: { now: () => new Date() } };
  const mail = buildNotificationMail(ctx, sampleNotification(kind), 'reader@example.com');
  const text = `Subject: ${mail.subject}\n\n${mail.text}`;
  await cli.to(out, (to) => to.raw(html ? mail.html! : text));
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'preview <kind>', {
    summary: 'Prints the mail of a kind of notification with sample data, as text or HTML',
    description: `Name and address of the site come from the configuration; its links work nowhere. Kinds: ${NOTIFICATION_KINDS.join(', ')}`,
    examples: [
      ['mail preview price_drop', 'as a terminal shows it'],
      ['mail preview price_drop --html --out mail.html', 'for a browser'],
    ],
  })
    .addOption(new Option('--html', 'the HTML part'))
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action((kind: string, options: { html?: boolean; out: string }) => preview(cli, kind, options));
}
