import type { Command } from 'commander';
import {
  addCommand,
  addDryRun,
  addMutationOptions,
  addPageOptions,
  type MutationOptions,
  type PageOptions,
  parseDuration,
} from '../framework/arguments.ts';
import type { Cli } from '../framework/cli.ts';
import { usageError } from '../framework/errors.ts';
import { getUser } from '../framework/find-user.ts';
import { printPages } from '../framework/paging.ts';
import { withContext, withWritableContext } from '../framework/with-app.ts';

const loadActions = () => import('../../server/features/auth/service.ts');
const loadStore = () => import('../../server/features/auth/session-repository.ts');

const SHAPE = { fields: ['userId', 'username', 'displayName', 'kind', 'createdAt', 'lastSeenAt', 'expiresAt'] };

const addList = (noun: Command, cli: Cli): void => {
  const leaf = addCommand(noun, 'list', {
    summary: 'Lists who is signed in, newest first; session ids are not known to anybody',
    examples: [
      ['session list --user @handle', 'where one person is signed in'],
      ['session list --all -q | sort -u | wc -l', 'how many people are signed in'],
    ],
  });
  addPageOptions(leaf)
    .option('--user <id|@handle>', 'of this user')
    .action((options: PageOptions & { user?: string }) =>
      withContext(cli, async ({ ctx }) => {
        const userId = options.user && (await getUser(ctx.db, options.user)).id;
        const { listSessions } = await loadStore();
        await printPages(
          cli,
          SHAPE,
          options,
          (page) => listSessions(ctx.db, { userId, ...page }),
          (row) => ({
            userId: row.user_id,
            username: row.username,
            displayName: row.display_name,
            kind: row.kind,
            createdAt: row.created_at,
            lastSeenAt: row.last_seen_at,
            expiresAt: row.expires_at,
          }),
        );
      }),
    );
};

interface RevokeOptions extends MutationOptions {
  user?: string;
  all?: boolean;
  olderThan?: number;
}

const addRevoke = (noun: Command, cli: Cli): void => {
  const leaf = addCommand(noun, 'revoke', {
    summary: 'Signs people out: one, those who signed in long ago, or all',
    examples: [
      ['session revoke --user @handle', 'one person, everywhere'],
      ['session revoke --all --older-than 30d --yes', 'who signed in more than 30 days ago'],
    ],
  });
  addMutationOptions(leaf, { asks: true })
    .option('--user <id|@handle>', 'this user')
    .option('--all', 'everybody')
    .option('--older-than <duration>', 'sessions started longer ago', parseDuration)
    .action(async ({ user, all, olderThan, dryRun, yes, reason }: RevokeOptions) => {
      if ((user === undefined) === (all === undefined)) throw usageError('Give either --user or --all.');
      if (all) await cli.confirm('Sign out everybody?', yes || dryRun);
      const startedBefore = olderThan === undefined ? undefined : new Date(Date.now() - olderThan).toISOString();
      const revoked = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        const userId = user && (await getUser(ctx.db, user)).id;
        return (await loadActions()).revokeSessions(ctx, actor, { userId, startedBefore }, { reason });
      });
      await cli.out.record({ fields: ['revoked'] }, { revoked });
    });
};

const addGc = (noun: Command, cli: Cli): void => {
  addDryRun(
    addCommand(noun, 'gc', {
      summary: 'Removes sessions that have ended; the server does so by itself every hour',
      examples: [['session gc', 'now']],
    }),
  ).action(async ({ dryRun }: MutationOptions) => {
    const removed = await withWritableContext(cli, dryRun, async ({ ctx }) =>
      (await loadActions()).deleteExpiredSessionsInBatches(ctx),
    );
    await cli.out.record({ fields: ['removed'] }, { removed });
  });
};

export function register(noun: Command, cli: Cli): void {
  addList(noun, cli);
  addRevoke(noun, cli);
  addGc(noun, cli);
}
