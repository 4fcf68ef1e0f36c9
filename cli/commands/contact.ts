import type { Command } from 'commander';
import { pageContacts } from '../../server/features/contact/repository.ts';
import { deleteContact } from '../../server/features/contact/service.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addDelete,
  addPageOptions,
  type PageOptions,
  parseTime,
  printPages,
} from '../framework/command.ts';
import { withContext } from '../framework/context.ts';
import type { Format, Output } from '../framework/output.ts';

const FIELDS = {
  id: 'id',
  createdAt: 'created_at',
  name: 'name',
  email: 'email',
  subject: 'subject',
  message: 'message',
  userId: 'user_id',
  mailedAt: 'mailed_at',
} as const;
const TABLE = ['id', 'createdAt', 'name', 'email', 'subject', 'message'];

interface ListOptions extends PageOptions {
  since?: string;
}

const printContacts = (cli: Cli, out: Output, format: Format | undefined, { since, ...paging }: ListOptions) =>
  withContext(cli, ({ ctx }) => {
    const shape = { fields: FIELDS, table: TABLE, format };
    return printPages(cli, shape, paging, (page) => pageContacts(ctx.db, { since, ...page }), out);
  });

export function register(noun: Command, cli: Cli): void {
  const list = addCommand(noun, 'list', {
    summary: 'Lists what the contact form sent, newest first',
    examples: [['contact list --since 7d', 'of the last week']],
  });
  addPageOptions(list)
    .option('--since <time>', 'not before', parseTime)
    .action((options: ListOptions) => printContacts(cli, cli.out, undefined, options));

  addCommand(noun, 'export', {
    summary: 'Writes all of it, as CSV unless -o says otherwise',
    examples: [['contact export --out contact.csv', 'into a file that only you can read']],
  })
    .option('--since <time>', 'not before', parseTime)
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action(({ since, out }: { since?: string; out: string }) =>
      cli.to(out, (to) => printContacts(cli, to, 'csv', { since, limit: 100, all: true })),
    );

  addDelete(noun, cli, {
    thing: 'message',
    summary: 'Deletes messages of the contact form, as people may ask of you; it cannot be undone',
    description: 'What was mailed stays in the mailbox.',
    examples: [['contact delete 7 --yes', 'one message']],
    remove: deleteContact,
  });
}
