import { type Command, Option } from 'commander';
import {
  createWebhook as createApi,
  FORMATS,
  listEventsOf,
  updateWebhook as updateApi,
  WEBHOOK_EVENTS,
  type WebhookFormat,
} from '../../contract/webhooks.ts';
import type { Db } from '../../server/db/pools.ts';
import { toEnglish } from '../../server/error-phrases.ts';
import type { DeliveryRow } from '../../server/features/webhooks/deliveries-repository.ts';
import { toMessageId } from '../../server/features/webhooks/presenter.ts';
import {
  changeSecret,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendDelivery,
  type SecretWebhook,
  testWebhook,
  updateWebhook,
} from '../../server/features/webhooks/service.ts';
import { listAllWebhooks, type WebhookRow } from '../../server/features/webhooks/webhooks-repository.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addDelete,
  addPageOptions,
  getUser,
  isId,
  type MutationOptions,
  type PageOptions,
  printPages,
} from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';
import type { Fields } from '../framework/output.ts';

type ListedRow = WebhookRow & { username?: string | null };

const FIELDS: Fields<ListedRow> = {
  id: 'id',
  userId: 'user_id',
  username: ({ username }) => username ?? null,
  url: 'url',
  events: ({ events }) => events.join(','),
  format: 'format',
  state: ({ is_on, off_reason, failing_since }) => (is_on ? (failing_since ? 'failing' : 'on') : `off: ${off_reason}`),
  failingSince: 'failing_since',
  createdAt: 'created_at',
};
const SHAPE = { fields: FIELDS, table: ['id', 'username', 'url', 'events', 'state'] };

const DELIVERY: { fields: Fields<DeliveryRow>; table: string[] } = {
  fields: {
    id: 'id',
    messageId: ({ message_id }) => toMessageId(message_id),
    type: 'type',
    status: 'status',
    attempts: 'attempts',
    responseStatus: 'response_status',
    error: 'error',
    durationMs: 'duration_ms',
    createdAt: 'created_at',
    lastAttemptAt: 'last_at',
    nextAttemptAt: ({ status, next_at }) => (status === 'waiting' ? next_at : null),
  },
  table: ['id', 'type', 'status', 'attempts', 'responseStatus', 'error', 'createdAt'],
};

/** The person of --as; without it the webhook is the marketplace's. */
const findOwner = async (db: Db, as: string | undefined): Promise<string | null> =>
  as === undefined ? null : (await getUser(db, as)).id;

const checkId = (id: string, thing = 'webhook'): string => {
  if (!isId(id)) throw new CliError(EXIT.notFound, `There is no ${thing} ${id}.`);
  return id;
};

const printSecret = async (cli: Cli, { row, secret }: SecretWebhook): Promise<void> => {
  cli.say('This is the only time that the secret is shown.');
  if (cli.isTable()) return cli.out.raw(`${secret}\n`);
  await cli.out.record(
    {
      fields: {
        id: 'id',
        userId: 'user_id',
        url: 'url',
        events: (made: WebhookRow) => made.events.join(','),
        format: 'format',
        secret: () => secret,
      },
    },
    row,
  );
};

const addList = (noun: Command, cli: Cli): void => {
  const list = addCommand(noun, 'list', {
    summary: 'Lists webhooks, newest first',
    examples: [
      ['webhook list', 'of everybody and of the marketplace'],
      ['webhook list --as @handle', 'of one person'],
    ],
  });
  addPageOptions(list)
    .option('--as <id|@handle>', 'of this user')
    .action((options: PageOptions & { as?: string }) =>
      withContext(cli, async ({ ctx, actor }) => {
        if (options.as === undefined) return printPages(cli, SHAPE, options, (page) => listAllWebhooks(ctx.db, page));
        const { id, username } = await getUser(ctx.db, options.as);
        const rows = await listWebhooks(ctx, actor, id);
        await cli.out.rows(
          SHAPE,
          rows.map((row): ListedRow => ({ ...row, username })),
        );
      }),
    );
};

interface CreateOptions extends MutationOptions {
  url: string;
  events: string;
  format: WebhookFormat;
  as?: string;
}

const splitEvents = (events: string): string[] => events.split(',').map((event) => event.trim());

const parseNew = ({ url, events, format, as }: CreateOptions) => {
  const given = { url, format, events: splitEvents(events) };
  const parsed = createApi.body.safeParse(given);
  if (parsed.success) return { ...parsed.data, format };
  const [issue] = parsed.error.issues;
  const known = listEventsOf(as === undefined ? 'site' : 'me');
  throw usageError(`--${String(issue?.path[0])}: ${issue?.message}`, `The events are ${known.join(', ')}.`);
};

const addCreate = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'create', {
    summary: 'Adds a webhook of the marketplace or of a person, and prints its secret once',
    description: 'Its receiver is tried first by: marketctl webhook test. docs/WEBHOOKS.md says what a receiver does.',
    examples: [
      ['webhook create --url https://example.com/hook --events ad.listed,report.opened', 'of the marketplace'],
      ['webhook create --url https://example.com/hook --events offer.made --as @handle', 'of a person'],
      ['webhook create --url https://ntfy.sh/our-topic --events report.opened --format ntfy', 'a sentence on a phone'],
    ],
    changes: 'at once',
  })
    .requiredOption('--url <url>', 'where it posts')
    .requiredOption('--events <a,b>', 'what it hears of')
    .addOption(new Option('--format <format>', 'how it tells').choices(FORMATS).default('standard'))
    .option('--as <id|@handle>', 'of this user; without it of the marketplace')
    .action(async (options: CreateOptions) => {
      const input = parseNew(options);
      const { dryRun, reason, as } = options;
      const made = await withWritableContext(cli, dryRun, async ({ ctx, actor }) =>
        createWebhook(ctx, actor, await findOwner(ctx.db, as), input, { reason }),
      );
      await printSecret(cli, made);
    });
};

type SetOptions = MutationOptions & Partial<Pick<CreateOptions, 'url' | 'events' | 'format'>>;

const parseChange = ({ url, events, format }: SetOptions) => {
  if ([url, events, format].every((value) => value === undefined))
    throw usageError('Say what to change: --url, --events or --format.');
  const parsed = updateApi.body.safeParse({
    url,
    format,
    events: events === undefined ? undefined : splitEvents(events),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(`--${String(issue?.path[0])}: ${issue?.message}`, `The events are ${WEBHOOK_EVENTS.join(', ')}.`);
};

const addSet = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'set <id>', {
    summary: 'Changes the address of a webhook, what it hears of, or how it tells; its secret and its log stay',
    examples: [
      ['webhook set 17 --url https://example.com/other-hook', 'the receiver has moved'],
      ['webhook set 17 --events ad.listed,ad.sold', 'in place of what it heard of before'],
    ],
    changes: 'at once',
  })
    .option('--url <url>', 'where it posts')
    .option('--events <a,b>', 'what it hears of')
    .addOption(new Option('--format <format>', 'how it tells').choices(FORMATS))
    .action(async (id: string, options: SetOptions) => {
      const input = parseChange(options);
      const { dryRun, reason } = options;
      const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
        updateWebhook(ctx, actor, checkId(id), input, { reason }),
      );
      await cli.out.rows<ListedRow>(SHAPE, [row]);
    });
};

const addSwitches = (noun: Command, cli: Cli): void => {
  for (const [name, summary, does] of [
    ['on', 'Switches a webhook on again', 'it hears of what happens from now on'],
    ['off', 'Switches a webhook off', 'what waits for it is not sent'],
  ] as const)
    addCommand(noun, `${name} <id>`, { summary, examples: [[`webhook ${name} 17`, does]], changes: 'at once' }).action(
      async (id: string, { dryRun, reason }: MutationOptions) => {
        const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
          updateWebhook(ctx, actor, checkId(id), { isOn: name === 'on' }, { reason }),
        );
        await cli.out.rows<ListedRow>(SHAPE, [row]);
      },
    );
};

const addSecret = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'secret <id>', {
    summary: 'Makes a new secret and prints it once; for a day the former one signs as well',
    examples: [['webhook secret 17', 'put it into the receiver within 24 hours']],
    changes: 'at once',
  }).action(async (id: string, { dryRun, reason }: MutationOptions) => {
    const made = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
      changeSecret(ctx, actor, checkId(id), { reason }),
    );
    await printSecret(cli, made);
  });
};

const addTest = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'test <id>', {
    summary: 'Sends an event of type webhook.test at once, and says what came back',
    examples: [['webhook test 17', 'exits with 9 if the receiver did not take it']],
  }).action(async (id: string) => {
    const { status, error, durationMs } = await withContext(cli, ({ ctx, actor }) =>
      testWebhook(ctx, actor, checkId(id)),
    );
    await cli.out.record(
      { fields: ['delivered', 'responseStatus', 'error', 'durationMs'] },
      { delivered: error === null, responseStatus: status, error: error && toEnglish(error), durationMs },
    );
    if (error !== null) throw new CliError(EXIT.partial, `It was not delivered: ${toEnglish(error)}`);
  });
};

const addDeliveries = (noun: Command, cli: Cli): void => {
  const list = addCommand(noun, 'deliveries <id>', {
    summary: 'Lists what was sent to a webhook in 30 days, newest first',
    examples: [['webhook deliveries 17', 'with what came back']],
  });
  addPageOptions(list).action((id: string, options: PageOptions) =>
    withContext(cli, ({ ctx, actor }) =>
      printPages(cli, DELIVERY, options, (page) => listWebhookDeliveries(ctx, actor, checkId(id), page)),
    ),
  );
  addCommand(noun, 'send <id> <delivery>', {
    summary: 'Sends a delivery again, under the same webhook-id',
    description: 'The servers send it at once; without a running server: marketctl jobs run send-webhooks.',
    examples: [['webhook send 17 4711', 'a delivery of the list']],
    dryRun: true,
  }).action(async (id: string, deliveryId: string, { dryRun }: MutationOptions) => {
    const row = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
      resendDelivery(ctx, actor, checkId(id), checkId(deliveryId, 'delivery')),
    );
    await cli.out.rows(DELIVERY, [row]);
  });
};

export function register(noun: Command, cli: Cli): void {
  addList(noun, cli);
  addCreate(noun, cli);
  addTest(noun, cli);
  addDeliveries(noun, cli);
  addSecret(noun, cli);
  addSet(noun, cli);
  addSwitches(noun, cli);
  addDelete(noun, cli, {
    summary: 'Removes webhooks with the log of their deliveries',
    examples: [['webhook delete 17', 'after a yes']],
    thing: 'webhook',
    remove: deleteWebhook,
  });
}
