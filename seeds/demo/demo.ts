import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { LIMITS } from '../../contract/limits.ts';
import type { AppContext } from '../../server/app-context.ts';
import { BULK_LOAD, withoutIndexes } from '../../server/db/bulk.ts';
import { clientConfig, createPool, type Trx } from '../../server/db/pools.ts';
import type { CategoryRow } from '../../server/db/rows.ts';
import { AppError } from '../../server/errors.ts';
import { lexiconOf } from '../../server/features/ads/search/lexicon.ts';
import { indexAds } from '../../server/features/ads/search/terms-repository.ts';
import { countWords } from '../../server/features/ads/search/words-repository.ts';
import { listCategories } from '../../server/features/categories/repository.ts';
import { storeImages } from '../../server/features/images/files.ts';
import { PHOTOS, type PhotoKind, readPhoto } from '../photos.ts';
import { createGenerator, type DemoOptions } from './generator.ts';
import { listDemoPlaces } from './places.ts';
import {
  adImageRows,
  adRows,
  conversationRows,
  copyRows,
  favoriteRows,
  messageRows,
  type Plan,
  userRows,
  viewRows,
} from './rows.ts';

export interface SeedDemoOptions {
  ads: number;
  sellers?: number | undefined;
  /** Equal seeds create equal data. Default 1. */
  seed?: number;
  onProgress?: (step: string) => void;
}

export interface DemoResult {
  ads: number;
  sellers: number;
  firstAdId: string;
  seconds: number;
}

export const countSellers = (ads: number): number => Math.min(50_000, Math.max(20, Math.round(ads / 20)));

/** From this number of ads on, rebuilding the indexes is faster than updating them. */
const BULK = 20_000;

/**
 * Adds invented users, ads, photos, favorites and conversations, for demonstrations and benchmarks. Copies them in bulk
 * in one transaction. Equal seeds create equal data.
 */
export async function seedDemo(
  ctx: AppContext,
  { ads, sellers, seed = 1, onProgress = () => {} }: SeedDemoOptions,
): Promise<DemoResult> {
  const started = performance.now();
  const categories = await getCategories(ctx);
  onProgress('storing photos');
  const images = await storePhotos(ctx);
  const client = new Client(
    clientConfig({ url: ctx.config.databaseDirectUrl, name: 'tradepost demo', statementTimeout: 0 }),
  );
  await client.connect();
  try {
    await client.query('begin');
    await client.query(BULK_LOAD);
    const plan = await makePlan(client, { ads, sellers, seed, images, categories, now: ctx.clock.now().valueOf() });
    onProgress('copying people and ads');
    await copyRows(
      client,
      'users (id, x_id, username, display_name, is_verified, is_premium, created_at)',
      userRows(plan),
    );
    const load = async () => {
      await copyAds(client, plan);
      onProgress('reading the words of ads');
      await indexCopied(ctx, client, plan);
    };
    const loadFast = () => withoutIndexes(client, 'ads', () => withoutIndexes(client, 'listed_ads', load));
    await (ads >= BULK ? loadFast() : load());
    onProgress('copying favorites and conversations');
    await copyRest(client, plan);
    await client.query('select fold_counters()');
    await client.query(ASK_ABOUT_EXPIRY);
    await client.query('commit');
    onProgress('analyzing');
    await client.query(
      'vacuum analyze ads, ad_terms, listed_ads, ad_places, users, ad_images, ad_views, favorites, messages, conversations',
    );
    await countAllWords(ctx);
    return {
      ads,
      sellers: plan.sellers,
      firstAdId: String(plan.firstAd),
      seconds: Math.round((performance.now() - started) / 100) / 10,
    };
  } finally {
    await client.end();
  }
}

/** The sellers were already asked about the ads that expire soon, as if the marketplace had run for months. */
const ASK_ABOUT_EXPIRY = `insert into expiry_questions (ad_id, expires_at)
  select id, expires_at from ads
  where listed and not is_sold and expires_at > now() and expires_at <= now() + interval '${LIMITS.renewDays} days'
  on conflict do nothing`;

async function storePhotos(ctx: AppContext): Promise<Record<PhotoKind, string[]>> {
  const stored: [string, string[]][] = [];
  for (const [kind, names] of Object.entries(PHOTOS)) {
    const images = await Promise.all(names.map(async (name) => ctx.images.process(await readPhoto(name))));
    await storeImages(ctx, images);
    stored.push([kind, images.map(({ sha256 }) => sha256)]);
  }
  return Object.fromEntries(stored) as Record<PhotoKind, string[]>;
}

async function getCategories({ db }: AppContext): Promise<CategoryRow[]> {
  const categories = await listCategories(db);
  if (categories.length === 0)
    throw new AppError('conflict', { message: 'There are no categories yet: run "marketctl seed categories" first.' });
  return categories;
}

export async function planDemo(
  ctx: AppContext,
  { ads, sellers = countSellers(ads) }: SeedDemoOptions,
): Promise<Omit<DemoResult, 'firstAdId' | 'seconds'>> {
  await getCategories(ctx);
  return { ads, sellers };
}

async function copyAds(client: Client, plan: Plan): Promise<void> {
  const columns =
    'id, user_id, category_id, title, description, price, price_type, condition, details, location, place_id, has_photos, state, is_sold, sold_at, sold_listed_until, expires_at, created_at, updated_at';
  await copyRows(client, `ads (${columns})`, adRows(plan));
}

const INDEX_BATCH = 2000;

/** Makes the terms of the ads on the connection that copied them, before their index is there. */
async function indexCopied(ctx: AppContext, client: Client, { firstAd, ads }: Plan): Promise<void> {
  const raw = (sql: string, bindings: never) => ctx.db.raw(sql, bindings).connection(client);
  const trx = { raw, userParams: {} } as unknown as Trx;
  for (let first = firstAd; first < firstAd + ads; first += INDEX_BATCH) {
    const ids = Array.from({ length: Math.min(INDEX_BATCH, firstAd + ads - first) }, (_, i) => String(first + i));
    await indexAds(trx, lexiconOf(ctx), ids);
  }
  // the index of words reads them from here
  await client.query('analyze ads, ad_terms');
}

async function copyRest(client: Client, plan: Plan): Promise<void> {
  await copyRows(client, 'ad_images (ad_id, position, sha256)', adImageRows(plan));
  await copyRows(client, 'ad_views (ad_id, views)', viewRows(plan));
  await copyRows(client, 'favorites (user_id, ad_id, created_at)', favoriteRows(plan));
  const conversations = 'id, ad_id, seller_id, buyer_id, last_message_id, message_count, created_at';
  await copyRows(client, `conversations (${conversations})`, conversationRows(plan));
  const messages = 'id, conversation_id, ad_id, sender_id, receiver_id, content, is_read, created_at';
  await copyRows(client, `messages (${messages})`, messageRows(plan));
}

async function reserveIds(client: Client, table: string, count: number): Promise<number> {
  const { rows } = await client.query<{ last: string }>(
    `select setval(sequence, nextval(sequence) + $2 - 1) as last from (select pg_get_serial_sequence($1, 'id') as sequence) s`,
    [table, Math.max(count, 1)],
  );
  return Number(rows[0]!.last) - Math.max(count, 1) + 1;
}

async function makePlan(
  client: Client,
  {
    ads,
    sellers = countSellers(ads),
    seed,
    images,
    categories,
    now,
  }: Pick<Plan, 'ads' | 'seed' | 'images' | 'now'> & { sellers?: number | undefined; categories: CategoryRow[] },
): Promise<Plan> {
  await client.query('lock table users, ads in share row exclusive mode');
  const conversations = Math.floor(ads / 50);
  const places = await listDemoPlaces(client);
  const options: DemoOptions = { ads, sellers, seed, categories: categories.map(({ slug }) => slug), places };
  return {
    ...options,
    generator: createGenerator(options),
    now,
    images,
    categoryIds: new Map(categories.map(({ id, slug }) => [slug, id])),
    firstUser: await reserveIds(client, 'users', sellers),
    firstAd: await reserveIds(client, 'ads', ads),
    conversations,
    firstConversation: await reserveIds(client, 'conversations', conversations),
    firstMessage: await reserveIds(client, 'messages', conversations * 4),
    adNotes: [],
  };
}

/** Takes longer than the statement timeout of a request. */
async function countAllWords({ config }: AppContext): Promise<void> {
  const db = createPool({ url: config.databaseDirectUrl, name: 'tradepost demo', statementTimeout: 0, poolMax: 1 });
  await countWords(db).finally(() => db.destroy());
}
