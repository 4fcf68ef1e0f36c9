import type { Command } from 'commander';
import { addCommand, addPageOptions, type PageOptions, parseTime } from '../framework/arguments.ts';
import type { Cli } from '../framework/cli.ts';
import { printPages } from '../framework/paging.ts';
import { withContext } from '../framework/with-app.ts';

interface AuditOptions extends PageOptions {
  since?: string;
  until?: string;
  actor?: string;
  action?: string;
  target?: string;
}

const FIELDS = ['id', 'at', 'actor', 'actorId', 'action', 'targetType', 'targetId', 'details', 'requestId'];

export function register(noun: Command, cli: Cli): void {
  const leaf = addCommand(noun, 'list', {
    summary: 'Lists what administrators and operators did, newest first',
    examples: [
      ['audit list --since 7d', 'of the last week'],
      ['audit list --action user.ban --actor cli:', 'bans from a terminal'],
      ['audit list --all -o ndjson', 'all of it, for a script'],
    ],
  });
  addPageOptions(leaf)
    .option('--since <time>', 'not before', parseTime)
    .option('--until <time>', 'before', parseTime)
    .option('--actor <name>', 'whose name begins so: cli:alice@host, user')
    .option('--action <action>', 'user.ban, or user for all about users')
    .option('--target <id>', 'about this user, ad or category')
    .action((options: AuditOptions) =>
      withContext(cli, async ({ ctx }) => {
        const { listAudit } = await import('../../server/features/audit/repository.ts');
        const { since, until, actor, action, target } = options;
        await printPages(
          cli,
          { fields: FIELDS, table: ['at', 'actor', 'action', 'targetId', 'details'] },
          options,
          (page) => listAudit(ctx.db, { since, until, actor, action, target, ...page }),
          (row) => ({
            id: row.id,
            at: row.at,
            actor: row.actor,
            actorId: row.actor_id,
            action: row.action,
            targetType: row.target_type,
            targetId: row.target_id,
            details: row.details,
            requestId: row.request_id,
          }),
        );
      }),
    );
}
