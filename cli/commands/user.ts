import { Argument, type Command, Option } from 'commander';
import type { AdminUser, AdminUserAccess } from '../../contract/admin.ts';
import { pluralize } from '../../contract/plural.ts';
import { ROLES, type Role } from '../../contract/user.ts';
import { evict } from '../../server/features/access/evict.ts';
import { readUserAccess } from '../../server/features/access/overview-repository.ts';
import { createOperatorLink } from '../../server/features/access/recovery.ts';
import { exportUser } from '../../server/features/account/export.ts';
import { presentAdminUser } from '../../server/features/admin/presenter.ts';
import { findAdminUser, listUsers } from '../../server/features/admin/repository.ts';
import { deleteUser, setLinkOut, setRole } from '../../server/features/admin/service.ts';
import {
  type AddressState,
  findAddress,
  getAddressState,
  getConfirmedAddress,
} from '../../server/features/notifications/address-repository.ts';
import { countSellerAds } from '../../server/features/sellers/repository.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addPageOptions,
  askIfSeveral,
  type BatchOptions,
  getUser,
  type MutationOptions,
  type PageOptions,
  printPages,
  runBatch,
} from '../framework/command.ts';
import { type CommandContext, withContext, withWritableContext } from '../framework/context.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';
import { escapeLines, type Fields } from '../framework/output.ts';
import { addBans, addSuspend, addWarn, finishAds } from './user-sanctions.ts';

type Hidden = 'avatar' | 'joinDate' | 'isBanned' | 'isUpdatePending' | 'isDeleted';

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
  rating: ({ rating }: AdminUser) => rating && `${pluralize(rating.deals, 'deal')}, ${rating.positive} % positive`,
  answerMinutes: 'answerMinutes',
  twitterId: 'twitterId',
  xAccountCreated: 'xAccountCreated',
  createdAt: 'createdAt',
  lastSeenAt: 'lastSeenAt',
} as const satisfies Fields<AdminUser> & Record<Exclude<keyof AdminUser, Hidden>, unknown>;
const TABLE: (keyof typeof FIELDS)[] = ['id', 'username', 'displayName', 'role', 'status', 'adCount', 'createdAt'];

type ShownUser = AdminUser & { mailAddress: string | null; mailState: AddressState; access: AdminUserAccess };
/** The fields of `user show`, which also says where mail goes, and what lets the person and their programs in. */
const SHOWN_FIELDS = {
  ...FIELDS,
  mailAddress: 'mailAddress',
  mailState: 'mailState',
  passkeys: ({ access }) => access.passkeys.count,
  passkeyUsedAt: ({ access }) => access.passkeys.lastUsedAt,
  recoveryCodes: ({ access }) => access.recoveryCodes,
  accessTokens: ({ access }) => access.accessTokens.count,
  accessTokenUsedAt: ({ access }) => access.accessTokens.lastUsedAt,
  webhooks: ({ access }) => access.webhooks,
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
        access: (await readUserAccess(ctx.db, user.id))!,
      };
      await cli.out.record({ fields: SHOWN_FIELDS }, shown);
    }),
  );
};

const changeRole = (cli: Cli, given: string[], role: Role, options: BatchOptions): Promise<void> =>
  runBatch(cli, { given, options, question: askIfSeveral(`Make ${role} of`) }, async ({ ctx, actor }, target) => {
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

const addRecovery = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'recover-link <user>', {
    summary: 'Makes a link that signs a user in once, within 15 minutes',
    description:
      'For a person who can use neither X nor mail. Check who asks: the link opens the account. Sessions and access tokens end when it is used. It tells the person and writes to the audit log.',
    examples: [['user recover-link @handle --reason "proved by phone"', 'prints the link']],
    changes: 'at once',
  }).action(async (who: string, { dryRun, reason }: MutationOptions) => {
    const row = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
      const user = await getUser(ctx.db, who);
      const link = await createOperatorLink(ctx, actor, user.id, { reason });
      return { id: user.id, username: user.username, link: dryRun ? null : link };
    });
    await cli.out.record({ fields: ['id', 'username', 'link'] }, row);
  });

  addCommand(noun, 'evict <user>', {
    summary: 'Removes all passkeys, recovery codes and access tokens of a user and ends their sessions',
    description:
      'For an account that a stranger uses. It switches off their webhooks, too. It keeps X, the confirmed address and the password: also reset the password of an administrator. It tells the person.',
    examples: [['user evict @handle --reason "taken over"', 'then user recover-link, if they cannot reach X']],
    changes: 'at once',
  })
    .option('--also-last', 'also passkeys that are the only way in; then only user recover-link lets them in')
    .action(async (who: string, { dryRun, reason, alsoLast }: MutationOptions & { alsoLast?: boolean }) => {
      const row = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
        const user = await getUser(ctx.db, who);
        const evicted = await evict(ctx, actor, user.id, { reason, alsoLast: alsoLast === true });
        return { id: user.id, username: user.username, ...evicted };
      });
      await cli.out.record({ fields: ['id', 'username', 'passkeys', 'codes', 'tokens', 'webhooks'] }, row);
    });
};

export function register(noun: Command, cli: Cli): void {
  addLists(noun, cli);
  addBans(noun, cli);
  addWarn(noun, cli);
  addSuspend(noun, cli);
  addRole(noun, cli);
  addGrant(noun, cli, 'grant', 'Gives a user a capability');
  addGrant(noun, cli, 'revoke', 'Takes a capability away');
  addRecovery(noun, cli);
  addRemoval(noun, cli);
}
