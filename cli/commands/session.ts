import type { Command } from 'commander';
import { revokeSessions } from '../../server/features/auth/service.ts';
import { deleteExpiredSessions, listSessions } from '../../server/features/sessions/session-repository.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addPageOptions,
  getUser,
  type MutationOptions,
  type PageOptions,
  parseDuration,
  printPages,
} from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';
import { usageError } from '../framework/errors.ts';

const FIELDS = {
  userId: 'user_id',
  username: 'username',
  displayName: 'display_name',
  kind: 'kind',
  createdAt: 'created_at',
  lastSeenAt: 'last_seen_at',
  expiresAt: 'expires_at',
} as const;

interface RevokeOptions extends MutationOptions {
  user?: string;
  all?: boolean;
  olderThan?: number;
}

export function register(noun: Command, cli: Cli): void {
  const list = addCommand(noun, 'list', {
    summary: 'Lists who is signed in, newest first; session ids are not known to anybody',
    examples: [
      ['session list --user @handle', 'where one person is signed in'],
      ['session list --all -q | sort -u | wc -l', 'how many people are signed in'],
    ],
  });
  addPageOptions(list)
    .option('--user <id|@handle>', 'of this user')
    .action((options: PageOptions & { user?: string }) =>
      withContext(cli, async ({ ctx }) => {
        const userId = options.user && (await getUser(ctx.db, options.user)).id;
        await printPages(cli, { fields: FIELDS }, options, (page) => listSessions(ctx.db, { userId, ...page }));
      }),
    );

  addCommand(noun, 'revoke', {
    summary: 'Signs people out: one, those who signed in long ago, or all',
    examples: [
      ['session revoke --user @handle', 'one person, everywhere'],
      ['session revoke --all --older-than 30d --yes', 'who signed in more than 30 days ago'],
    ],
    changes: 'after a yes',
  })
    .option('--user <id|@handle>', 'this user')
    .option('--all', 'everybody')
    .option('--older-than <duration>', 'sessions started longer ago', parseDuration)
    .action(async ({ user, all, olderThan, dryRun, yes, reason }: RevokeOptions) => {
      if ((user === undefined) === (all === undefined)) throw usageError('Give either --user or --all.');
      if (all) await cli.confirm('Sign out everybody?', yes || dryRun);
      const revoked = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        const userId = user && (await getUser(ctx.db, user)).id;
        const startedBefore =
          olderThan === undefined ? undefined : new Date(ctx.clock.now().valueOf() - olderThan).toISOString();
        return revokeSessions(ctx, actor, { userId, startedBefore }, { reason });
      });
      await cli.out.record({ fields: ['revoked'] }, { revoked });
    });

  addCommand(noun, 'gc', {
    summary: 'Removes sessions that have ended; the server does so by itself every hour',
    examples: [['session gc', 'now']],
    dryRun: true,
  }).action(async ({ dryRun }: MutationOptions) => {
    const removed = await withWritableContext(cli, dryRun, ({ ctx }) => deleteExpiredSessions(ctx.db));
    await cli.out.record({ fields: ['removed'] }, { removed });
  });
}
