import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { DEFAULT_BRAND } from '../../contract/default-brand.ts';
import { WRITTEN_LANGUAGES, type WrittenLanguage } from '../../contract/languages.ts';
import { LIMITS } from '../../contract/limits.ts';
import { setCurrency } from '../../contract/money.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../contract/notifications.ts';
import { derivePalette } from '../../contract/palette.ts';
import { readConfig } from '../../server/config/load.ts';
import { buildNewsMail } from '../../server/features/access/news-mail.ts';
import { buildRecoveryMail } from '../../server/features/access/recovery-mail.ts';
import { buildConfirmationMail } from '../../server/features/notifications/addresses.ts';
import { sampleNotification } from '../../server/features/notifications/mail-samples.ts';
import { toEnglish } from '../../server/features/notifications/news.ts';
import { buildNotificationMail } from '../../server/features/notifications/notification-mail.ts';
import type { EmailMessage } from '../../server/integrations/mail/mail.ts';
import type { JobName } from '../../server/jobs/queue.ts';
import { readTexts } from '../../server/lib/catalogs.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand } from '../framework/command.ts';
import { usageError } from '../framework/errors.ts';

const READER = 'reader@example.com';
/** Its links must work nowhere. */
const PREVIEW_KEYS = ['signs-links-of-previews-that-work-nowhere'];

type MailContext = Parameters<typeof buildNotificationMail>[0];
type NameOf<Job> = Job extends `mail-${infer Name}` ? Name : never;
/** The mails to users that are about no notification. The contact form writes to the operator. */
type OtherMail = Exclude<NameOf<JobName>, 'contact'>;

const PASSKEY = { kind: 'notice', params: { is: 'passkeyAdded', name: 'Phone' } } as const;

const OTHERS: Record<OtherMail, (ctx: MailContext) => EmailMessage> = {
  confirmation: (ctx) => {
    const pending_until = new Date(ctx.clock.now().valueOf() + LIMITS.emailLinkHours * 3_600_000).toISOString();
    return buildConfirmationMail(ctx, {
      user_id: '0',
      pending_address: READER,
      pending_id: randomUUID(),
      pending_until,
    });
  },
  'access-news': (ctx) =>
    buildNewsMail(
      ctx,
      {
        id: '10001',
        user_id: '0',
        kind: 'notice',
        params: PASSKEY.params,
        ...toEnglish(PASSKEY),
        url: '/preferences#passkeys',
      },
      READER,
    ),
  recovery: (ctx) =>
    buildRecoveryMail(ctx, { to: READER, name: '@anna', link: `${ctx.config.publicUrl}/recover#token=works-nowhere` }),
};
const NAMES = [...NOTIFICATION_KINDS, ...Object.keys(OTHERS)];

const isKind = (name: string): name is NotificationKind => NOTIFICATION_KINDS.some((kind) => kind === name);
const isOther = (name: string): name is OtherMail => Object.hasOwn(OTHERS, name);

const buildSample = (ctx: MailContext, name: string): EmailMessage => {
  if (isKind(name)) return buildNotificationMail(ctx, sampleNotification(name), READER);
  if (isOther(name)) return OTHERS[name](ctx);
  throw usageError(`There is no mail "${name}".`, `Mails: ${NAMES.join(', ')}`);
};

interface PreviewOptions {
  html?: boolean;
  language: WrittenLanguage;
  out: string;
}

const preview = async (cli: Cli, kind: string, { html, language, out }: PreviewOptions): Promise<void> => {
  const config = { ...readConfig(cli.environment(), []), sessionKeys: PREVIEW_KEYS };
  setCurrency(config.currency);
  const palette = derivePalette(DEFAULT_BRAND.accent);
  const texts = readTexts(language);
  const ctx = { config, palette, logo: null, clock: { now: () => new Date() }, texts };
  const mail = buildSample(ctx, kind);
  const text = `Subject: ${mail.subject}\n\n${mail.text}`;
  await cli.to(out, (to) => to.raw(html ? mail.html! : text));
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'preview <kind>', {
    summary: 'Prints the mail of a kind of notification, or another mail to users, as text or HTML',
    description: `Name and address of the site come from the configuration; its links work nowhere. Mails: ${NAMES.join(', ')}`,
    examples: [
      ['mail preview price_drop', 'as a terminal shows it'],
      ['mail preview price_drop --html --language de --out mail.html', 'in German, for a browser'],
    ],
  })
    .addOption(new Option('--html', 'the HTML part'))
    .addOption(new Option('--language <code>', 'what the receiver reads').choices(WRITTEN_LANGUAGES).default('en'))
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action((kind: string, options: PreviewOptions) => preview(cli, kind, options));
}
