import { type Command, Option } from 'commander';
import { type Ad, AdState } from '../../contract/ads.ts';
import { OWN_COLUMNS } from '../../contract/own-ads.ts';
import { pluralize } from '../../contract/plural.ts';
import { listAllAds } from '../../server/features/admin/repository.ts';
import { deleteAnyAd, setAdStatus } from '../../server/features/admin/service.ts';
import { type AdDetails, findAd } from '../../server/features/ads/repository.ts';
import { parseSearch } from '../../server/features/ads/search/parse-search.ts';
import { toWordFilter } from '../../server/features/ads/search/resolve-filter.ts';
import { findCategory } from '../../server/features/categories/repository.ts';
import { listCurrentDeals } from '../../server/features/deals/deals-repository.ts';
import { exportAds } from '../../server/features/imports/own-ads.ts';
import { findUser } from '../../server/features/users/repository.ts';
import type { Cli } from '../framework/cli.ts';
import {
  addCommand,
  addDelete,
  addPageOptions,
  type BatchOptions,
  getUser,
  isId,
  type PageOptions,
  printPages,
  runBatch,
} from '../framework/command.ts';
import { withContext } from '../framework/context.ts';
import { CliError, EXIT } from '../framework/errors.ts';
import type { Fields } from '../framework/output.ts';

type Hidden = 'categorySlug' | 'distance' | 'imageUrls' | 'images' | 'isActive' | 'isReserved' | 'user' | 'version';

/** The fields of `ad list` and `ad show`. A new property of Ad must be listed here or in Hidden. */
const FIELDS = {
  id: 'id',
  title: 'title',
  description: 'description',
  price: 'price',
  oldPrice: 'old_price',
  category: 'category_slug',
  location: 'location',
  placeId: 'place_id',
  priceType: 'price_type',
  condition: 'condition',
  details: (ad: AdDetails) => JSON.stringify(ad.details),
  externalLink: 'external_link',
  allowMessages: 'allow_messages',
  state: 'state',
  stateReason: 'state_reason',
  stateReasonCode: 'state_reason_code',
  isListed: 'listed',
  isSold: 'is_sold',
  reservedFor: (ad: AdDetails) => ad.reserved_for && (ad.holder_username ?? ad.reserved_for),
  reservedUntil: 'reserved_until',
  views: (ad: AdDetails) => Number(ad.views),
  pictures: (ad: AdDetails) => ad.images.map(({ sha256 }) => sha256),
  userId: 'user_id',
  username: 'seller_username',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  expiresAt: 'expires_at',
} as const satisfies Fields<AdDetails> & Record<Exclude<keyof Ad, Hidden>, unknown>;
/** Also to whom it is sold, if that is a person with an account: their handle, or their id. */
const SHOWN: Fields<AdDetails & { buyer: string | null }> = { ...FIELDS, buyer: 'buyer' };
type Field = keyof typeof FIELDS;
const TABLE: Field[] = ['id', 'title', 'price', 'priceType', 'category', 'state', 'views', 'username', 'createdAt'];

const noSuchAd = (id: string): CliError => new CliError(EXIT.notFound, `There is no ad ${id}.`);

interface ListOptions extends PageOptions {
  category?: string;
  user?: string;
  state?: AdState;
  search?: string;
}

const printList = (cli: Cli, options: ListOptions): Promise<void> =>
  withContext(cli, async ({ ctx }) => {
    const category = options.category ? await findCategory(ctx.db, options.category) : undefined;
    if (options.category && !category) throw new CliError(EXIT.notFound, `There is no category "${options.category}".`);
    const filter = {
      categoryId: category?.id,
      userId: options.user && (await getUser(ctx.db, options.user)).id,
      state: options.state,
      ...toWordFilter(await parseSearch(ctx, ctx.db, options.search ?? '')),
    };
    await printPages(cli, { fields: FIELDS, table: TABLE }, options, (page) => listAllAds(ctx.db, filter, page));
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
    .addOption(new Option('--state <state>', 'only these').choices(AdState.options))
    .option('--search <words>', 'with all of these words')
    .action((options: ListOptions) => printList(cli, options));

  addCommand(noun, 'show <id>', {
    summary: 'Prints one ad',
    examples: [['ad show 10001 -o json', 'for a script']],
  }).action((id: string) =>
    withContext(cli, async ({ ctx }) => {
      const ad = isId(id) ? await findAd(ctx.db, id) : undefined;
      if (!ad) throw noSuchAd(id);
      const [deal] = await listCurrentDeals(ctx.db, [ad.id]);
      const buyer = deal ? ((await findUser(ctx.db, deal.buyer_id))?.username ?? deal.buyer_id) : null;
      await cli.out.record({ fields: SHOWN }, { ...ad, buyer });
    }),
  );
};

const addStatus = (noun: Command, cli: Cli, verb: 'activate' | 'deactivate', summary: string): void => {
  addCommand(noun, `${verb} <id...>`, {
    summary,
    description: 'The owner sees the --reason.',
    examples: [
      [`ad ${verb} 10001 --reason "checked"`, summary.toLowerCase()],
      [`ad ${verb} - --yes <ids.txt`, 'many'],
    ],
    changes: 'after a yes',
  })
    .option('--from-file <file>', 'read ids from this file')
    .option('--if-version <updatedAt>', 'only if this still is the updatedAt of the ad')
    .action((given: string[], options: BatchOptions & { ifVersion?: string }) => {
      const { reason, ifVersion: version } = options;
      const status = verb === 'activate' ? 'active' : 'inactive';
      const question = ({ length }: readonly string[]) => (length > 1 ? `${verb} ${length} ads?` : undefined);
      return runBatch(cli, { given, options, question }, async ({ ctx, actor }, id) => {
        if (!isId(id)) throw noSuchAd(id);
        const before = await findAd(ctx.db, id);
        const isSame = before?.state === status && (!reason || reason === before.state_reason);
        if (!isSame) await setAdStatus(ctx, actor, id, { status, reason, version });
        return { id, result: before?.state === status ? `already ${status}` : status };
      });
    });
};

interface ExportOptions {
  user: string;
  out: string;
}

const exportFile = (cli: Cli, { user, out }: ExportOptions): Promise<void> =>
  withContext(cli, async ({ ctx, actor }) => {
    const { id } = await getUser(ctx.db, user);
    const table = ['title', 'price', 'currency', 'category', 'state'];
    const shape = { fields: OWN_COLUMNS, table, format: 'csv' as const };
    const count = await cli.to(out, (file) => file.rows(shape, exportAds(ctx, actor, id)));
    if (out !== '-') cli.say(`${out} has ${pluralize(count, 'ad')}.`);
  });

export function register(noun: Command, cli: Cli): void {
  addLists(noun, cli);
  addCommand(noun, 'export', {
    summary: "Writes a seller's ads as CSV unless -o says otherwise; marketctl import takes them in, here or elsewhere",
    description: 'Photos are in it by their addresses: an import fetches them while this marketplace runs.',
    examples: [
      ['ad export --user @handle --out ads.csv', 'a file for a spreadsheet'],
      ['ad export --user @handle -o json >ads.json', 'for a program'],
    ],
  })
    .requiredOption('--user <id|@handle>', 'of this seller')
    .option('--out <file>', 'where to write; - is standard output', '-')
    .action((options: ExportOptions) => exportFile(cli, options));
  addStatus(noun, cli, 'activate', 'Approves ads or puts them back on the market');
  addStatus(noun, cli, 'deactivate', 'Rejects ads or takes them off the market');
  addDelete(noun, cli, {
    thing: 'ad',
    summary: 'Deletes ads; it cannot be undone. Their conversations stay readable',
    examples: [['ad delete 10001 --yes --reason "stolen goods"', 'one ad']],
    remove: deleteAnyAd,
  });
}
