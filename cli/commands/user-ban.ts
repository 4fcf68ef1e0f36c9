import type { Command } from 'commander';
import { readTargets, runBatch } from '../batch.ts';
import type { Cli } from '../cli.ts';
import { addLeaf, addMutationOptions, type MutationOptions } from '../declare.ts';
import { getUser } from '../find-user.ts';
import { withWritableApp } from '../with-app.ts';

interface BanOptions extends MutationOptions {
  fromFile?: string;
}

const loadActions = () => import('../../server/features/admin/actions-users.ts');

const addMany = (leaf: Command): Command =>
  addMutationOptions(leaf, { asks: true }).option('--from-file <file>', 'read ids and @handles from this file');

const confirmMany = (cli: Cli, verb: string, targets: readonly string[], { yes, dryRun }: BanOptions) =>
  targets.length > 1 ? cli.confirm(`${verb} ${targets.length} users?`, yes || dryRun) : Promise.resolve();

const ban = async (cli: Cli, given: string[], options: BanOptions): Promise<void> => {
  const targets = await readTargets(cli, given, options.fromFile);
  await confirmMany(cli, 'Ban', targets, options);
  const { banUser } = await loadActions();
  await withWritableApp(cli, options.dryRun, ({ app, actor }) =>
    runBatch(cli, targets, async (target) => {
      const user = await getUser(app.db, target);
      const isSame = user.banned_at !== null && (!options.reason || options.reason === user.ban_reason);
      if (!isSame) await banUser(app, actor, user.id, options.reason);
      return { id: user.id, result: user.banned_at === null ? 'banned' : 'already banned' };
    }),
  );
};

const unban = async (cli: Cli, given: string[], options: BanOptions): Promise<void> => {
  const targets = await readTargets(cli, given, options.fromFile);
  await confirmMany(cli, 'Unban', targets, options);
  const { unbanUser } = await loadActions();
  await withWritableApp(cli, options.dryRun, ({ app, actor }) =>
    runBatch(cli, targets, async (target) => {
      const user = await getUser(app.db, target);
      if (user.banned_at !== null) await unbanUser(app, actor, user.id, { reason: options.reason });
      return { id: user.id, result: user.banned_at === null ? 'was not banned' : 'unbanned' };
    }),
  );
};

/** user ban, user unban. */
export function addBan(noun: Command, cli: Cli): void {
  addMany(
    addLeaf(noun, 'ban <user...>', {
      summary: 'Bans users: sessions end, ads leave public view, signing in is refused',
      description:
        'Each in one transaction. Banned already is no error; another --reason replaces the one that stands.',
      examples: [
        ['user ban @handle --reason "sells fakes"', 'one user'],
        ['user ban - --reason spam --yes <ids.txt', 'many, from standard input'],
        ['user ban 10001 10002 --dry-run', 'what would happen'],
      ],
    }),
  ).action((users: string[], options: BanOptions) => ban(cli, users, options));

  addMany(
    addLeaf(noun, 'unban <user...>', {
      summary: 'Lifts bans; the ads come back as far as their time is not over',
      examples: [['user unban @handle --reason "appealed"', 'one user']],
    }),
  ).action((users: string[], options: BanOptions) => unban(cli, users, options));
}
