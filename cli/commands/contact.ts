import type { Command } from 'commander';
import { addCommand, addPageOptions, type PageOptions, parseTime } from '../framework/arguments.ts';
import type { Cli } from '../framework/cli.ts';
import { addDelete } from '../framework/delete-command.ts';
import type { Output } from '../framework/output.ts';
import { printPages } from '../framework/paging.ts';
import { withContext } from '../framework/with-app.ts';

const FIELDS = ['id', 'createdAt', 'name', 'email', 'subject', 'message', 'userId', 'mailedAt'];

const printContacts = (
  cli: Cli,
  out: Output,
  format: 'csv' | undefined,
  since: string | undefined,
  paging: PageOptions,
) =>
  withContext(cli, async ({ ctx }) => {
    const { pageContacts } = await import('../../server/features/contact/repository.ts');
    await printPages(
      cli,
      { fields: FIELDS, table: ['id', 'createdAt', 'name', 'email', 'subject', 'message'], format },
      paging,
      (page) => pageContacts(ctx.db, { since, ...page }),
      (row) => ({
        id: row.id,
        createdAt: row.created_at,
        name: row.name,
        email: row.email,
        subject: row.subject,
        message: row.message,
        userId: row.user_id,
        mailedAt: row.mailed_at,
      }),
      out,
    );
  });

interface ListOptions extends PageOptions {
  since?: string;
}

const addList = (noun: Command, cli: Cli): void => {
  addPageOptions(
    addCommand(noun, 'list', {
      summary: 'Lists what the contact form sent, newest first',
      examples: [['contact list --since 7d', 'of the last week']],
    }),
  )
    .option('--since <time>', 'not before', parseTime)
    .action((options: ListOptions) => printContacts(cli, cli.out, undefined, options.since, options));
};

const addExport = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'export', {
    summary: 'Writes all of it, as CSV unless -o says otherwise',
    examples: [['contact export --out contact.csv', 'into a file that only you can read']],
  })
    .option('--since <time>', 'not before', parseTime)
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action(async ({ since, out }: { since?: string; out: string }) => {
      const print = (to: Output) => printContacts(cli, to, 'csv', since, { limit: 100, all: true });
      await (out === '-' ? print(cli.out) : cli.toFile(out, print));
    });
};

export function register(noun: Command, cli: Cli): void {
  addList(noun, cli);
  addExport(noun, cli);
  addDelete(noun, cli, {
    thing: 'message',
    summary: 'Deletes messages of the contact form, as people may ask of you; it cannot be undone',
    description: 'What was mailed stays in the mailbox.',
    examples: [['contact delete 7 --yes', 'one message']],
    remove: async (ctx, actor, id, about) =>
      (await import('../../server/features/contact/service.ts')).deleteContact(ctx, actor, id, about),
  });
}
