import type { Command } from 'commander';
import { listAudit } from '../../server/features/audit/repository.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, addPageOptions, type PageOptions, parseTime, printPages } from '../framework/command.ts';
import { withContext } from '../framework/context.ts';

const FIELDS = {
  id: 'id',
  at: 'at',
  actor: 'actor',
  actorId: 'actor_id',
  action: 'action',
  targetType: 'target_type',
  targetId: 'target_id',
  details: 'details',
  requestId: 'request_id',
} as const;

interface AuditOptions extends PageOptions {
  since?: string;
  until?: string;
  actor?: string;
  action?: string;
  target?: string;
}

export function register(noun: Command, cli: Cli): void {
  const leaf = addCommand(noun, 'list', {
    summary: 'Lists what staff, operators and users did, newest first',
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
      withContext(cli, ({ ctx }) => {
        const { since, until, actor, action, target } = options;
        const shape = { fields: FIELDS, table: ['at', 'actor', 'action', 'targetId', 'details'] };
        const filter = { since, until, actor, action, target };
        return printPages(cli, shape, options, (page) => listAudit(ctx.db, { ...filter, ...page }));
      }),
    );
}
