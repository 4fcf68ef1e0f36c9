import { type Command, InvalidArgumentError } from 'commander';
import { readTargets, runBatch, TARGETS } from '../batch.ts';
import type { Cli } from '../cli.ts';
import { addLeaf, addMutationOptions, type MutationOptions } from '../declare.ts';
import { CliError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { getUser } from '../find-user.ts';
import { withWritableApp } from '../with-app.ts';

interface BanOptions extends MutationOptions {
  fromFile?: string;
}

interface UnbanOptions extends BanOptions {
  xId?: string;
}

const parseXId = (value: string): string => {
  if (!/^\d{1,20}$/.test(value)) throw new InvalidArgumentError('Use the number that X has for the account.');
  return value;
};

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
    runBatch(cli, app, targets, async (app, target) => {
      const user = await getUser(app.db, target);
      const isSame = user.banned_at !== null && (!options.reason || options.reason === user.ban_reason);
      if (!isSame) await banUser(app, actor, user.id, options.reason);
      return { id: user.id, result: user.banned_at === null ? 'banned' : 'already banned' };
    }),
  );
};

/** Somebody who is no user any more, known by what X calls them. */
const unbanXAccount = async (cli: Cli, xId: string, { dryRun, reason }: BanOptions): Promise<void> => {
  const { liftBanOf } = await loadActions();
  const wasBanned = await withWritableApp(cli, dryRun, ({ app, actor }) => liftBanOf(app, actor, xId, { reason }));
  if (!wasBanned) throw new CliError(EXIT.notFound, `Nobody with the X id ${xId} was deleted while banned.`);
  await cli.out.rows(TARGETS, [{ id: null, target: xId, result: 'unbanned', error: null }]);
};

const unban = async (cli: Cli, given: string[], options: UnbanOptions): Promise<void> => {
  if (options.xId !== undefined) {
    if (given.length > 0) throw usageError('Give either users or --x-id.');
    return unbanXAccount(cli, options.xId, options);
  }
  const targets = await readTargets(cli, given, options.fromFile);
  await confirmMany(cli, 'Unban', targets, options);
  const { unbanUser } = await loadActions();
  await withWritableApp(cli, options.dryRun, ({ app, actor }) =>
    runBatch(cli, app, targets, async (app, target) => {
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
    addLeaf(noun, 'unban [user...]', {
      summary: 'Lifts bans; the ads come back as far as their time is not over',
      description: 'A ban outlives the deletion of the user, without a name: --x-id lets the X account sign in anew.',
      examples: [
        ['user unban @handle --reason "appealed"', 'one user'],
        ['user unban --x-id 2244994945', 'somebody who was deleted while banned'],
      ],
    }),
  )
    .option('--x-id <number>', 'the X account of somebody who was deleted while banned', parseXId)
    .action((users: string[], options: UnbanOptions) => unban(cli, users, options));
}
