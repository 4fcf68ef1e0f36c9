import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { AdminUser } from '../../contract/admin.ts';
import { LIMITS } from '../../contract/limits.ts';
import { REPORT_REASONS, type ReportReason, SUSPENSION_DAYS } from '../../contract/reports.ts';
import { ROLES, type Role } from '../../contract/user.ts';
import type { AppContext } from '../../server/app-context.ts';
import { exportUser } from '../../server/features/account/export.ts';
import { finishAdsUpdate } from '../../server/features/account/removal.ts';
import { presentAdminUser } from '../../server/features/admin/presenter.ts';
import { findAdminUser, listUsers } from '../../server/features/admin/repository.ts';
import {
  banUser,
  deleteUser,
  setLinkOut,
  setRole,
  suspendUser,
  unbanDeletedUser,
  unbanUser,
  warnUser,
} from '../../server/features/admin/service.ts';
import {
  type AddressState,
  findAddress,
  getAddressState,
  getConfirmedAddress,
} from '../../server/features/notifications/address-repository.ts';
import { countSellerAds } from '../../server/features/sellers/repository.ts';
import { isShutOut } from '../../server/policy.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addPageOptions,
  type BatchOptions,
  getUser,
  type MutationOptions,
  type PageOptions,
  printPages,
  runBatch,
  TARGETS,
} from '../framework/command.ts';
import { type CommandContext, withContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';
import { escapeLines, type Fields } from '../framework/output.ts';
import { startProgress } from '../framework/terminal.ts';

type Hidden = 'avatar' | 'joinDate' | 'isBanned' | 'isUpdatePending';

const toStatus = ({ isBanned, suspendedUntil }: AdminUser): string => {
  if (isBanned) return 'banned';
  return suspendedUntil ? 'suspended' : 'active';
};

/** The fields of `user list` and `user show`. A new property of AdminUser must be listed here or in Hidden. */
const FIELDS = {
  id: 'id',
  username: 'username',
  displayName: 'displayName',
  email: 'email',
  role: 'role',
  status: (user: AdminUser) => toStatus(user),
  banReason: 'banReason',
  bannedAt: 'bannedAt',
  suspendedUntil: 'suspendedUntil',
  isVerified: 'isVerified',
  isPremium: 'isPremium',
  canLinkOut: 'canLinkOut',
  adCount: 'adCount',
  rating: ({ rating }: AdminUser) => rating && `${rating.deals} deals, ${rating.positive} % positive`,
  twitterId: 'twitterId',
  xAccountCreated: 'xAccountCreated',
  createdAt: 'createdAt',
  lastSeenAt: 'lastSeenAt',
} as const satisfies Fields<AdminUser> & Record<Exclude<keyof AdminUser, Hidden>, unknown>;
const TABLE: (keyof typeof FIELDS)[] = ['id', 'username', 'displayName', 'role', 'status', 'adCount', 'createdAt'];

type ShownUser = AdminUser & { mailAddress: string | null; mailState: AddressState };
/** The fields of `user show`, which also says where mail goes. */
const SHOWN_FIELDS = {
  ...FIELDS,
  mailAddress: 'mailAddress',
  mailState: 'mailState',
} as const satisfies Fields<ShownUser>;

interface ListOptions extends PageOptions {
  search?: string;
  role?: Role;
  banned?: boolean;
  suspended?: boolean;
}

const toStatusFilter = ({ banned, suspended }: ListOptions) => {
  if (banned && suspended) throw usageError('Give either --banned or --suspended.');
  if (banned) return 'banned';
  return suspended ? 'suspended' : undefined;
};

const addLists = (noun: Command, cli: Cli): void => {
  const list = addCommand(noun, 'list', {
    summary: 'Lists users, newest first',
    examples: [
      ['user list --search anna', 'whose handle or name contains it'],
      ['user list --banned --all -o csv', 'everybody who is banned, for a spreadsheet'],
      ['user list --search spam -q | marketctl user ban - --reason spam --yes', 'ids for the next command'],
    ],
  });
  addPageOptions(list)
    .option('--search <text>', 'part of the handle or name, or an id')
    .addOption(new Option('--role <role>', 'only these').choices([...ROLES]))
    .option('--banned', 'only banned ones')
    .option('--suspended', 'only suspended ones')
    .action(({ search, role, ...options }: ListOptions) =>
      withContext(cli, ({ ctx, actor }) => {
        const filter = { search, role, status: toStatusFilter(options) } as const;
        return printPages(cli, { fields: FIELDS, table: TABLE }, options, async (page) => {
          const { rows, nextCursor } = await listUsers(ctx.db, filter, page);
          return { rows: rows.map((row) => presentAdminUser(row, actor, ctx.clock.now())), nextCursor };
        });
      }),
    );

  addCommand(noun, 'show <user>', {
    summary: 'Prints one user, by id or @handle',
    examples: [
      ['user show @handle', 'by handle'],
      ['user show 10001 -o json', 'by id'],
    ],
  }).action((who: string) =>
    withContext(cli, async ({ ctx, actor }) => {
      const user = await findAdminUser(ctx.db, (await getUser(ctx.db, who)).id);
      if (!user) throw new CliError(EXIT.notFound, `User ${who} is deleted.`);
      const address = (await findAddress(ctx.db, user.id))!;
      const shown: ShownUser = {
        ...presentAdminUser(user, actor, ctx.clock.now()),
        mailAddress: address.pending_address ?? getConfirmedAddress(address, ctx.config),
        mailState: getAddressState(address, ctx.config),
      };
      await cli.out.record({ fields: SHOWN_FIELDS }, shown);
    }),
  );
};

interface BanOptions extends BatchOptions {
  xId?: string;
}

const parseXId = (value: string): string => {
  if (!/^\d{1,20}$/.test(value)) throw new InvalidArgumentError('Use the number that X has for the account.');
  return value;
};

const toQuestion =
  (verb: string) =>
  ({ length }: readonly string[]): string | undefined =>
    length > 1 ? `${verb} ${length} users?` : undefined;

const finishAds = (cli: Cli, ctx: AppContext, userId: string): Promise<unknown> => {
  const progress = startProgress(cli, 'Ads changed:');
  return finishAdsUpdate(ctx, userId, progress.at).finally(progress.end);
};

const ban = (cli: Cli, given: string[], options: BanOptions): Promise<void> =>
  runBatch(cli, { given, options, question: toQuestion('Ban') }, async ({ ctx, actor }, target) => {
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
  await runBatch(cli, { given, options, question: toQuestion('Unban') }, async ({ ctx, actor }, target) => {
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
  await runBatch(cli, { given, options, question: toQuestion('Warn') }, async ({ ctx, actor }, target) => {
    const user = await getUser(ctx.db, target);
    await warnUser(ctx, actor, user.id, { reason: why, note }, { reason: options.reason });
    return { id: user.id, result: 'warned' };
  });
};

const suspend = (cli: Cli, given: string[], { days, for: why, note, ...options }: SuspendOptions): Promise<void> => {
  checkNote(note);
  return runBatch(cli, { given, options, question: toQuestion('Suspend') }, async ({ ctx, actor }, target) => {
    const user = await getUser(ctx.db, target);
    const suspension = { days: Number(days), reason: why, note };
    await suspendUser(ctx, actor, user.id, suspension, { reason: options.reason });
    await finishAds(cli, ctx, user.id);
    return { id: user.id, result: 'suspended' };
  });
};

const addWhy = (leaf: Command): Command =>
  leaf
    .addOption(new Option('--for <reason>', 'why').choices(Object.keys(REPORT_REASONS)).default('other'))
    .option('--note <text>', 'a note to the person')
    .option('--from-file <file>', 'read ids and @handles from this file');

const addWarn = (noun: Command, cli: Cli): void => {
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

const addSuspend = (noun: Command, cli: Cli): void => {
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

const changeRole = (cli: Cli, given: string[], role: Role, options: BatchOptions): Promise<void> =>
  runBatch(cli, { given, options, question: toQuestion(`Make ${role} of`) }, async ({ ctx, actor }, target) => {
    const user = await getUser(ctx.db, target);
    const changed = await setRole(ctx, actor, user.id, role, { reason: options.reason });
    return { id: user.id, result: changed ? role : `was ${role} already` };
  });

const addRole = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'role <user>', {
    summary: 'Changes the role of a user; a lower one ends their sessions',
    description:
      'moderator: decides about reports and ads, warns and suspends. admin: also deletes, bans and changes settings. - reads users from standard input.',
    examples: [
      ['user role @handle moderator', 'one user'],
      ['user role - user --yes <ids.txt', 'many, from standard input'],
    ],
    changes: 'after a yes',
  })
    .addArgument(new Argument('<role>', 'which').choices([...ROLES]))
    .option('--from-file <file>', 'read ids and @handles from this file')
    .action((who: string, role: Role, options: BatchOptions) => changeRole(cli, [who], role, options));
};

const addBans = (noun: Command, cli: Cli): void => {
  const fromFile = ['--from-file <file>', 'read ids and @handles from this file'] as const;
  addCommand(noun, 'ban <user...>', {
    summary: 'Bans users: sessions end, ads leave public view, signing in is refused',
    description: 'Each in one transaction. Banned already is no error; another --reason replaces the recorded one.',
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

const GRANTS = ['admin', 'link-out'] as const;
type Grant = (typeof GRANTS)[number];

const setGrant = async (
  { ctx, actor }: CommandContext,
  who: string,
  grant: Grant,
  granted: boolean,
  reason: string | undefined,
) => {
  const user = await getUser(ctx.db, who);
  const row = { id: user.id, username: user.username, grant, granted };
  if (grant === 'admin') {
    // revoking the role of an administrator leaves a moderator as they are
    const isAlready = (user.role === 'admin') === granted;
    const changed = !isAlready && (await setRole(ctx, actor, user.id, granted ? 'admin' : 'user', { reason }));
    return { ...row, changed };
  }
  const changed = user.can_link_out !== granted;
  if (changed) await setLinkOut(ctx, actor, user.id, granted, { reason });
  return { ...row, changed };
};

const addGrant = (noun: Command, cli: Cli, verb: 'grant' | 'revoke', summary: string): void => {
  addCommand(noun, `${verb} <user>`, {
    summary,
    description: 'admin: may administer in the browser. link-out: may put an external link on ads.',
    examples: [
      [`user ${verb} @handle link-out`, summary.toLowerCase()],
      [`user ${verb} 10001 admin`, 'the role of an administrator'],
    ],
    changes: 'at once',
  })
    .addArgument(new Argument('<grant>', 'what').choices(GRANTS))
    .action(async (who: string, grant: Grant, { dryRun, reason }: MutationOptions) => {
      const row = await withWritableContext(cli, dryRun, (context) =>
        setGrant(context, who, grant, verb === 'grant', reason),
      );
      if (!row.changed)
        cli.say(`Nothing changed: the user ${row.granted ? 'has that grant already' : 'does not have that grant'}.`);
      await cli.out.record({ fields: ['id', 'username', 'grant', 'granted', 'changed'] }, row);
    });
};

const addRemoval = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'delete <user>', {
    summary: 'Deletes a user with profile, ads, photos, favorites, sessions and X tokens; it cannot be undone',
    description:
      'Their messages stay for the other party, under "Deleted user". On a terminal the name has to be typed.',
    examples: [
      ['user delete @handle', 'asks for the name'],
      ['user delete 10001 --yes --reason "asked by mail"', 'in a script'],
    ],
    changes: 'after a yes',
  }).action(async (who: string, { dryRun, yes, reason }: MutationOptions) => {
    const deleted = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
      const user = await getUser(ctx.db, who);
      if (user.deleted_at !== null) throw new CliError(EXIT.notFound, `User ${who} is deleted already.`);
      const name = user.username ?? user.display_name;
      await cli.confirmByTyping(`Delete ${name} (id ${user.id}) for ever`, name, yes || dryRun);
      const { totalAds } = await countSellerAds(ctx.db, user.id, true);
      await deleteUser(ctx, actor, user.id, { reason });
      await finishAds(cli, ctx, user.id);
      return { id: user.id, username: user.username, ads: totalAds };
    });
    await cli.out.record({ fields: ['id', 'username', 'ads'] }, deleted);
  });

  addCommand(noun, 'export <user>', {
    summary: 'Prints everything stored about a user as one JSON document',
    examples: [['user export @handle --out handle.json', 'into a file that only you can read']],
  })
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action((who: string, { out }: { out: string }) =>
      withContext(cli, async ({ ctx, actor }) => {
        const user = await getUser(ctx.db, who);
        if (user.deleted_at !== null) throw new CliError(EXIT.notFound, `User ${who} is deleted.`);
        await cli.to(out, async ({ raw }) => {
          for await (const text of await exportUser(ctx, actor, user.id, 2)) await raw(escapeLines(String(text)));
          await raw('\n');
        });
        if (out !== '-') cli.say(`Everything about ${who} is in ${out}.`);
      }),
    );
};

export function register(noun: Command, cli: Cli): void {
  addLists(noun, cli);
  addBans(noun, cli);
  addWarn(noun, cli);
  addSuspend(noun, cli);
  addRole(noun, cli);
  addGrant(noun, cli, 'grant', 'Gives a user a capability');
  addGrant(noun, cli, 'revoke', 'Takes a capability away');
  addRemoval(noun, cli);
}
