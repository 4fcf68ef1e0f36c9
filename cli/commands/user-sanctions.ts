import { type Command, InvalidArgumentError, Option } from 'commander';
import { LIMITS } from '../../contract/limits.ts';
import { REASONS, type ReportReason, SUSPENSION_DAYS } from '../../contract/reports.ts';
import type { AppContext } from '../../server/app-context.ts';
import { finishAdsUpdate } from '../../server/features/account/removal.ts';
import { banUser, suspendUser, unbanDeletedUser, unbanUser, warnUser } from '../../server/features/admin/service.ts';
import { isShutOut } from '../../server/policy.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, askIfSeveral, type BatchOptions, getUser, runBatch, TARGETS } from '../framework/command.ts';
import { withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';
import { startProgress } from '../framework/terminal.ts';

export const finishAds = (cli: Cli, ctx: AppContext, userId: string): Promise<unknown> => {
  const progress = startProgress(cli, 'Ads changed:');
  return finishAdsUpdate(ctx, userId, progress.at).finally(progress.end);
};

interface BanOptions extends BatchOptions {
  xId?: string;
}

const parseXId = (value: string): string => {
  if (!/^\d{1,20}$/.test(value)) throw new InvalidArgumentError('Use the number that X has for the account.');
  return value;
};

const ban = (cli: Cli, given: string[], options: BanOptions): Promise<void> =>
  runBatch(cli, { given, options, question: askIfSeveral('Ban') }, async ({ ctx, actor }, target) => {
    const user = await getUser(ctx.db, target);
    const isSame = user.banned_at !== null && (!options.reason || options.reason === user.ban_reason);
    if (!isSame) await banUser(ctx, actor, user.id, options.reason);
    await finishAds(cli, ctx, user.id);
    return { id: user.id, result: user.banned_at === null ? 'banned' : 'already banned' };
  });

/** Handles a user who was deleted while banned: only the id of the X account is left. */
const unbanXAccount = async (cli: Cli, xId: string, { dryRun, reason }: BanOptions): Promise<void> => {
  const wasBanned = await withWritableContext(cli, dryRun, ({ ctx, actor }) =>
    unbanDeletedUser(ctx, actor, xId, { reason }),
  );
  if (!wasBanned) throw new CliError(EXIT.notFound, `No person with the X id ${xId} was deleted while banned.`);
  await cli.out.rows(TARGETS, [{ id: null, target: xId, result: 'unbanned', error: null }]);
};

const unban = async (cli: Cli, given: string[], options: BanOptions): Promise<void> => {
  if (options.xId !== undefined) {
    if (given.length > 0) throw usageError('Give either users or --x-id.');
    return unbanXAccount(cli, options.xId, options);
  }
  await runBatch(cli, { given, options, question: askIfSeveral('Unban') }, async ({ ctx, actor }, target) => {
    const user = await getUser(ctx.db, target);
    const isShut = isShutOut(user, ctx.clock.now());
    if (isShut) await unbanUser(ctx, actor, user.id, { reason: options.reason });
    await finishAds(cli, ctx, user.id);
    return { id: user.id, result: isShut ? 'unbanned' : 'was not banned' };
  });
};

interface WarnOptions extends BatchOptions {
  for: ReportReason;
  note?: string;
}

interface SuspendOptions extends WarnOptions {
  days: string;
}

const checkNote = (note = ''): void => {
  if (note.length > LIMITS.reason) throw usageError(`A note has at most ${LIMITS.reason} characters.`);
};

const warn = async (cli: Cli, given: string[], { for: why, note, ...options }: WarnOptions): Promise<void> => {
  checkNote(note);
  await runBatch(cli, { given, options, question: askIfSeveral('Warn') }, async ({ ctx, actor }, target) => {
    const user = await getUser(ctx.db, target);
    await warnUser(ctx, actor, user.id, { reason: why, note }, { reason: options.reason });
    return { id: user.id, result: 'warned' };
  });
};

const suspend = (cli: Cli, given: string[], { days, for: why, note, ...options }: SuspendOptions): Promise<void> => {
  checkNote(note);
  return runBatch(cli, { given, options, question: askIfSeveral('Suspend') }, async ({ ctx, actor }, target) => {
    const user = await getUser(ctx.db, target);
    const suspension = { days: Number(days), reason: why, note };
    await suspendUser(ctx, actor, user.id, suspension, { reason: options.reason });
    await finishAds(cli, ctx, user.id);
    return { id: user.id, result: 'suspended' };
  });
};

const addWhy = (leaf: Command): Command =>
  leaf
    .addOption(new Option('--for <reason>', 'why').choices([...REASONS]).default('other'))
    .option('--note <text>', 'a note to the person')
    .option('--from-file <file>', 'read ids and @handles from this file');

export const addWarn = (noun: Command, cli: Cli): void => {
  const leaf = addCommand(noun, 'warn <user...>', {
    summary: 'Warns users, who read the reason and may appeal',
    description: 'Each in one transaction. The person reads --for and --note; --reason is for the audit log.',
    examples: [
      ['user warn @handle --for wrong_category --note "Please use Electronics"', 'one user'],
      ['user warn 10001 10002 --for duplicate --yes', 'several'],
    ],
    changes: 'after a yes',
  });
  addWhy(leaf).action((users: string[], options: WarnOptions) => warn(cli, users, options));
};

export const addSuspend = (noun: Command, cli: Cli): void => {
  const leaf = addCommand(noun, 'suspend <user...>', {
    summary: 'Suspends users for some days: ads leave public view, and only the statement of reasons can be reached',
    description:
      'Each in one transaction. A longer suspension stays as it is. The person reads --for and --note; --reason is for the audit log.',
    examples: [
      ['user suspend @handle --days 7 --for scam --note "Asks for money in advance"', 'one user'],
      ['user suspend 10001 10002 --days 1 --for duplicate --yes', 'several'],
      ['user unban @handle', 'ends it early'],
    ],
    changes: 'after a yes',
  });
  leaf.addOption(new Option('--days <n>', 'how long').choices(SUSPENSION_DAYS.map(String)).makeOptionMandatory());
  addWhy(leaf).action((users: string[], options: SuspendOptions) => suspend(cli, users, options));
};

export const addBans = (noun: Command, cli: Cli): void => {
  const fromFile = ['--from-file <file>', 'read ids and @handles from this file'] as const;
  addCommand(noun, 'ban <user...>', {
    summary: 'Bans users: sessions end, ads leave public view, signing in is refused',
    description:
      'Each in one transaction. The --reason is for the person. Banned already is no error; with another --reason it is a new decision.',
    examples: [
      ['user ban @handle --reason "sells fakes"', 'one user'],
      ['user ban - --reason spam --yes <ids.txt', 'many, from standard input'],
      ['user ban 10001 10002 --dry-run', 'what would happen'],
    ],
    changes: 'after a yes',
  })
    .option(...fromFile)
    .action((users: string[], options: BanOptions) => ban(cli, users, options));

  addCommand(noun, 'unban [user...]', {
    summary: 'Lifts bans and ends suspensions; the ads come back as far as their time is not over',
    description: 'A ban outlives the deletion of the user, without a name: --x-id lets the X account sign in again.',
    examples: [
      ['user unban @handle --reason "appealed"', 'one user'],
      ['user unban --x-id 2244994945', 'a person who was deleted while banned'],
    ],
    changes: 'after a yes',
  })
    .option(...fromFile)
    .option('--x-id <number>', 'the X account of a person who was deleted while banned', parseXId)
    .action((users: string[], options: BanOptions) => unban(cli, users, options));
};
