import { type Command, Option } from 'commander';
import type { AdminUser } from '../../contract/admin.ts';
import type { Cli } from '../cli.ts';
import { addLeaf, addPageOptions, type PageOptions } from '../declare.ts';
import { CliError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { getUser } from '../find-user.ts';
import type { Row } from '../output.ts';
import { printPages } from '../pages.ts';
import { withApp } from '../with-app.ts';

const loadStore = () => import('../../server/features/admin/list-store.ts');
const loadPresent = () => import('../../server/features/admin/present.ts');

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
  const list = addLeaf(noun, 'list', {
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
      withApp(cli, async ({ app }) => {
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
          (page) => listUsers(app.db, filter, page),
          (row) => toRow(presentAdminUser(row)),
        );
      }),
    );

  addLeaf(noun, 'show <user>', {
    summary: 'Prints one user, by id or @handle',
    examples: [
      ['user show @handle', 'by handle'],
      ['user show 10001 -o json', 'by id'],
    ],
  }).action((who: string) =>
    withApp(cli, async ({ app }) => {
      const [{ findAdminUser }, { presentAdminUser }] = await Promise.all([loadStore(), loadPresent()]);
      const user = await findAdminUser(app.db, (await getUser(app.db, who)).id);
      if (!user) throw new CliError(EXIT.notFound, `User ${who} is deleted.`);
      await cli.out.record({ fields: FIELDS }, toRow(presentAdminUser(user)));
    }),
  );
}
