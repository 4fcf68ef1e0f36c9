import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { AdminUser } from '../../contract/admin.ts';
import type { AppContext } from '../../server/app-context.ts';
import {
  addCommand,
  addMutationOptions,
  addPageOptions,
  type MutationOptions,
  type PageOptions,
} from '../framework/arguments.ts';
import { readTargets, runBatch, TARGETS } from '../framework/batch.ts';
import type { Cli } from '../framework/cli.ts';
import { CliError, EXIT, usageError } from '../framework/errors.ts';
import { getUser } from '../framework/find-user.ts';
import type { Output, Row } from '../framework/output.ts';
import { toJson } from '../framework/output-format.ts';
import { printPages } from '../framework/paging.ts';
import { startProgress } from '../framework/progress.ts';
import { type CommandContext, withContext, withWritableContext } from '../framework/with-app.ts';

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

const loadActions = () => import('../../server/features/admin/service.ts');

/** Changes the ads of a user with many of them here and now, although a job would do it too. */
const finishAds = async (cli: Cli, ctx: AppContext, userId: string): Promise<void> => {
  const { finishAdsUpdate } = await import('../../server/features/account/removal.ts');
  const progress = startProgress(cli, 'Ads changed:');
  await finishAdsUpdate(ctx, userId, (changed) => progress.at(changed));
  progress.end();
};

const addMany = (leaf: Command): Command =>
  addMutationOptions(leaf, { asks: true }).option('--from-file <file>', 'read ids and @handles from this file');

const confirmMany = (cli: Cli, verb: string, targets: readonly string[], { yes, dryRun }: BanOptions) =>
  targets.length > 1 ? cli.confirm(`${verb} ${targets.length} users?`, yes || dryRun) : Promise.resolve();

const ban = async (cli: Cli, given: string[], options: BanOptions): Promise<void> => {
  const targets = await readTargets(cli, given, options.fromFile);
  await confirmMany(cli, 'Ban', targets, options);
  const { banUser } = await loadActions();
  await withWritableContext(cli, options.dryRun, ({ ctx, actor }) =>
    runBatch(cli, ctx, targets, async (ctx, target) => {
      const user = await getUser(ctx.db, target);
      const isSame = user.banned_at !== null && (!options.reason || options.reason === user.ban_reason);
      if (!isSame) await banUser(ctx, actor, user.id, options.reason);
      await finishAds(cli, ctx, user.id);
      return { id: user.id, result: user.banned_at === null ? 'banned' : 'already banned' };
    }),
  );
};

/** Somebody who is no user any more, known by what X calls them. */
const unbanXAccount = async (cli: Cli, xId: string, { dryRun, reason }: BanOptions): Promise<void> => {
  const { liftBanOf } = await loadActions();
  const wasBanned = await withWritableContext(cli, dryRun, ({ ctx, actor }) => liftBanOf(ctx, actor, xId, { reason }));
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
  await withWritableContext(cli, options.dryRun, ({ ctx, actor }) =>
    runBatch(cli, ctx, targets, async (ctx, target) => {
      const user = await getUser(ctx.db, target);
      if (user.banned_at !== null) await unbanUser(ctx, actor, user.id, { reason: options.reason });
      await finishAds(cli, ctx, user.id);
      return { id: user.id, result: user.banned_at === null ? 'was not banned' : 'unbanned' };
    }),
  );
};

/** user ban, user unban. */
export function addBan(noun: Command, cli: Cli): void {
  addMany(
    addCommand(noun, 'ban <user...>', {
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
    addCommand(noun, 'unban [user...]', {
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

const GRANTS = ['admin', 'link-out'] as const;
type Grant = (typeof GRANTS)[number];

const GRANT_FIELDS = ['id', 'username', 'grant', 'granted', 'changed'];

const change = async (
  { ctx, actor }: CommandContext,
  who: string,
  grant: Grant,
  granted: boolean,
  reason: string | undefined,
) => {
  const [{ setLinkOut }, { setAdminRole }] = await Promise.all([
    import('../../server/features/admin/service.ts'),
    import('../../server/features/admin/service.ts'),
  ]);
  const user = await getUser(ctx.db, who);
  const row = { id: user.id, username: user.username, grant, granted };
  if (grant === 'admin') return { ...row, changed: await setAdminRole(ctx, actor, user.id, granted, { reason }) };
  const changed = user.can_link_out !== granted;
  if (changed) await setLinkOut(ctx, actor, user.id, granted, { reason });
  return { ...row, changed };
};

const addGrant = (noun: Command, cli: Cli, verb: 'grant' | 'revoke', summary: string): void => {
  addMutationOptions(
    addCommand(noun, `${verb} <user>`, {
      summary,
      description: 'admin: may administer in the browser. link-out: may put an external link on ads.',
      examples: [
        [`user ${verb} @handle link-out`, summary.toLowerCase()],
        [`user ${verb} 10001 admin`, 'the role of an administrator'],
      ],
    }),
  )
    .addArgument(new Argument('<grant>', 'what').choices(GRANTS))
    .action(async (who: string, grant: Grant, { dryRun, reason }: MutationOptions) => {
      const row = await withWritableContext(cli, dryRun, (acting) =>
        change(acting, who, grant, verb === 'grant', reason),
      );
      if (!row.changed) cli.say('It was so already.');
      await cli.out.record({ fields: GRANT_FIELDS }, row);
    });
};

/** user grant, user revoke. */
export function addGrants(noun: Command, cli: Cli): void {
  addGrant(noun, cli, 'grant', 'Gives a user a capability');
  addGrant(noun, cli, 'revoke', 'Takes a capability away');
}

const loadStore = () => import('../../server/features/admin/repository.ts');
const loadPresent = () => import('../../server/features/admin/presenter.ts');

const FIELDS = [
  'id',
  'username',
  'displayName',
  'email',
  'role',
  'status',
  'banReason',
  'bannedAt',
  'isVerified',
  'isPremium',
  'canLinkOut',
  'adCount',
  'twitterId',
  'xAccountCreated',
  'createdAt',
  'lastSeenAt',
];

const toRow = (user: AdminUser): Row => ({ ...user, status: user.isBanned ? 'banned' : 'active' });

interface ListOptions extends PageOptions {
  search?: string;
  role?: 'user' | 'admin';
  banned?: boolean;
}

/** user list, user show. */
export function addLists(noun: Command, cli: Cli): void {
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
    .addOption(new Option('--role <role>', 'only these').choices(['user', 'admin']))
    .option('--banned', 'only banned ones')
    .action((options: ListOptions) =>
      withContext(cli, async ({ ctx }) => {
        const [{ listUsers }, { presentAdminUser }] = await Promise.all([loadStore(), loadPresent()]);
        const { search, role, banned } = options;
        const filter = { search, role, status: banned ? ('banned' as const) : undefined };
        const shape = {
          fields: FIELDS,
          table: ['id', 'username', 'displayName', 'role', 'status', 'adCount', 'createdAt'],
        };
        await printPages(
          cli,
          shape,
          options,
          (page) => listUsers(ctx.db, filter, page),
          (row) => toRow(presentAdminUser(row)),
        );
      }),
    );

  addCommand(noun, 'show <user>', {
    summary: 'Prints one user, by id or @handle',
    examples: [
      ['user show @handle', 'by handle'],
      ['user show 10001 -o json', 'by id'],
    ],
  }).action((who: string) =>
    withContext(cli, async ({ ctx }) => {
      const [{ findAdminUser }, { presentAdminUser }] = await Promise.all([loadStore(), loadPresent()]);
      const user = await findAdminUser(ctx.db, (await getUser(ctx.db, who)).id);
      if (!user) throw new CliError(EXIT.notFound, `User ${who} is deleted.`);
      await cli.out.record({ fields: FIELDS }, toRow(presentAdminUser(user)));
    }),
  );
}

const addDelete = (noun: Command, cli: Cli): void => {
  addMutationOptions(
    addCommand(noun, 'delete <user>', {
      summary: 'Deletes a user with profile, ads, pictures, favorites, sessions and X tokens; it cannot be undone',
      description:
        'Their messages stay for the other party, under "Deleted user". On a terminal the name has to be typed.',
      examples: [
        ['user delete @handle', 'asks for the name'],
        ['user delete 10001 --yes --reason "asked by mail"', 'in a script'],
      ],
    }),
    { asks: true },
  ).action(async (who: string, { dryRun, yes, reason }: MutationOptions) => {
    const deleted = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
      const user = await getUser(ctx.db, who);
      if (user.deleted_at !== null) throw new CliError(EXIT.notFound, `User ${who} is deleted already.`);
      const name = user.username ?? user.display_name;
      await cli.confirmByTyping(`Delete ${name} (id ${user.id}) for ever`, name, yes || dryRun);
      const { deleteUser } = await import('../../server/features/admin/service.ts');
      const { countSellerAds } = await import('../../server/features/sellers/repository.ts');
      const { totalAds } = await countSellerAds(ctx.db, user.id, true);
      await deleteUser(ctx, actor, user.id, { reason });
      await finishAds(cli, ctx, user.id);
      return { id: user.id, username: user.username, ads: totalAds };
    });
    await cli.out.record({ fields: ['id', 'username', 'ads'] }, deleted);
  });
};

const addExport = (noun: Command, cli: Cli): void => {
  addCommand(noun, 'export <user>', {
    summary: 'Prints everything stored about a user as one JSON document',
    examples: [['user export @handle --out handle.json', 'into a file that only you can read']],
  })
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action((who: string, { out }: { out: string }) =>
      withContext(cli, async ({ ctx }) => {
        const user = await getUser(ctx.db, who);
        const { readExport } = await import('../../server/features/account/export.ts');
        const data = await ctx.db.transaction((trx) => readExport(trx, user.id), { isolationLevel: 'repeatable read' });
        if (!data) throw new CliError(EXIT.notFound, `User ${who} is deleted.`);
        const document = { exportedAt: new Date().toISOString(), site: ctx.config.publicUrl, ...data };
        const print = (to: Output) => to.raw(`${toJson(document, 2)}\n`);
        await (out === '-' ? print(cli.out) : cli.toFile(out, print));
        if (out !== '-') cli.say(`Everything about ${who} is in ${out}.`);
      }),
    );
};

/** user delete, user export. */
export function addRemoval(noun: Command, cli: Cli): void {
  addDelete(noun, cli);
  addExport(noun, cli);
}

export function register(noun: Command, cli: Cli): void {
  addLists(noun, cli);
  addBan(noun, cli);
  addGrants(noun, cli);
  addRemoval(noun, cli);
}
