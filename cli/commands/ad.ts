import { type Command, Option } from 'commander';
import type { AdState } from '../../contract/ads.ts';
import type { AdDetails } from '../../server/features/ads/repository.ts';
import {
  addCommand,
  addMutationOptions,
  addPageOptions,
  type MutationOptions,
  type PageOptions,
} from '../framework/arguments.ts';
import { readTargets, runBatch } from '../framework/batch.ts';
import type { Cli } from '../framework/cli.ts';
import { addDelete } from '../framework/delete-command.ts';
import { CliError, EXIT } from '../framework/errors.ts';
import { getUser } from '../framework/find-user.ts';
import type { Row } from '../framework/output.ts';
import { printPages } from '../framework/paging.ts';
import { isId } from '../framework/row-id.ts';
import { withContext, withWritableContext } from '../framework/with-app.ts';

const FIELDS = [
  'id',
  'title',
  'description',
  'price',
  'category',
  'location',
  'externalLink',
  'allowMessages',
  'state',
  'stateReason',
  'isListed',
  'isSold',
  'views',
  'pictures',
  'userId',
  'username',
  'createdAt',
  'updatedAt',
  'expiresAt',
];
const TABLE = ['id', 'title', 'price', 'category', 'state', 'views', 'username', 'createdAt'];

const toRow = (ad: AdDetails): Row => ({
  id: ad.id,
  title: ad.title,
  description: ad.description,
  price: ad.price,
  category: ad.category_slug,
  location: ad.location,
  externalLink: ad.external_link,
  allowMessages: ad.allow_messages,
  state: ad.state,
  stateReason: ad.state_reason,
  isListed: ad.listed,
  isSold: ad.is_sold,
  views: Number(ad.views),
  pictures: ad.images.map(({ sha256 }) => sha256),
  userId: ad.user_id,
  username: ad.seller_username,
  createdAt: ad.created_at,
  updatedAt: ad.updated_at,
  expiresAt: ad.expires_at,
});

const noSuchAd = (id: string): CliError => new CliError(EXIT.notFound, `There is no ad ${id}.`);

interface ListOptions extends PageOptions {
  category?: string;
  user?: string;
  state?: AdState;
  search?: string;
}

const printList = (cli: Cli, options: ListOptions): Promise<void> =>
  withContext(cli, async ({ ctx }) => {
    const [{ listAllAds }, { findCategory }, { parseSearch }] = await Promise.all([
      import('../../server/features/admin/repository.ts'),
      import('../../server/features/categories/repository.ts'),
      import('../../server/features/ads/search/parse-search.ts'),
    ]);
    const category = options.category ? await findCategory(ctx.db, options.category) : undefined;
    if (options.category && !category) throw new CliError(EXIT.notFound, `There is no category "${options.category}".`);
    const filter = {
      categoryId: category?.id,
      userId: options.user && (await getUser(ctx.db, options.user)).id,
      state: options.state,
      query: options.search ? await parseSearch(ctx.db, options.search) : undefined,
    };
    await printPages(cli, { fields: FIELDS, table: TABLE }, options, (page) => listAllAds(ctx.db, filter, page), toRow);
  });

const addLists = (noun: Command, cli: Cli): void => {
  const list = addCommand(noun, 'list', {
    summary: 'Lists ads of every state, newest first',
    examples: [
      ['ad list --state pending', 'what waits for review'],
      ['ad list --user @handle --all -o ndjson', 'all ads of one seller'],
      [
        'ad list --search replica -q | marketctl ad deactivate - --reason "no replicas" --yes',
        'ids for the next command',
      ],
    ],
  });
  addPageOptions(list)
    .option('--category <category>', 'slug or name')
    .option('--user <id|@handle>', 'of this seller')
    .addOption(new Option('--state <state>', 'only these').choices(['active', 'pending', 'inactive', 'expired']))
    .option('--search <words>', 'with all of these words')
    .action((options: ListOptions) => printList(cli, options));

  addCommand(noun, 'show <id>', {
    summary: 'Prints one ad',
    examples: [['ad show 10001 -o json', 'for a script']],
  }).action((id: string) =>
    withContext(cli, async ({ ctx }) => {
      const { findAd } = await import('../../server/features/ads/repository.ts');
      const ad = isId(id) ? await findAd(ctx.db, id) : undefined;
      if (!ad) throw noSuchAd(id);
      await cli.out.record({ fields: FIELDS }, toRow(ad));
    }),
  );
};

interface ChangeOptions extends MutationOptions {
  fromFile?: string;
}

const loadActions = () => import('../../server/features/admin/service.ts');

const addStatus = (noun: Command, cli: Cli, verb: 'activate' | 'deactivate', summary: string): void => {
  const leaf = addCommand(noun, `${verb} <id...>`, {
    summary,
    description: 'The owner sees the --reason.',
    examples: [
      [`ad ${verb} 10001 --reason "checked"`, summary.toLowerCase()],
      [`ad ${verb} - --yes <ids.txt`, 'many'],
    ],
  });
  addMutationOptions(leaf, { asks: true })
    .option('--from-file <file>', 'read ids from this file')
    .action(async (given: string[], options: ChangeOptions) => {
      const ids = await readTargets(cli, given, options.fromFile);
      if (ids.length > 1) await cli.confirm(`${verb} ${ids.length} ads?`, options.yes || options.dryRun);
      const status = verb === 'activate' ? 'active' : 'inactive';
      await withWritableContext(cli, options.dryRun, ({ ctx, actor }) =>
        runBatch(cli, ctx, ids, async (ctx, id) => {
          if (!isId(id)) throw noSuchAd(id);
          const { findAd } = await import('../../server/features/ads/repository.ts');
          const before = await findAd(ctx.db, id);
          const isSame = before?.state === status && (!options.reason || options.reason === before.state_reason);
          if (!isSame) await (await loadActions()).setAdStatus(ctx, actor, id, { status, reason: options.reason });
          return { id, result: before?.state === status ? `already ${status}` : status };
        }),
      );
    });
};

export function register(noun: Command, cli: Cli): void {
  addLists(noun, cli);
  addStatus(noun, cli, 'activate', 'Approves ads or puts them back on the market');
  addStatus(noun, cli, 'deactivate', 'Rejects ads or takes them off the market');
  addDelete(noun, cli, {
    thing: 'ad',
    summary: 'Deletes ads; it cannot be undone. Their conversations stay readable',
    examples: [['ad delete 10001 --yes --reason "stolen goods"', 'one ad']],
    remove: async (ctx, actor, id, about) => (await loadActions()).deleteAnyAd(ctx, actor, id, about),
  });
}
