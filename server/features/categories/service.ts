import { hash } from 'node:crypto';
import { cleanText, text } from '../../../contract/text.ts';
import type { AppContext } from '../../app-context.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { CategoryRow } from '../../db/rows.ts';
import { inTransaction, withDatabase } from '../../db/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../../errors.ts';
import { toLocaleOf } from '../../lib/locales.ts';
import { type Actor, isAdmin } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { nameIn } from './names.ts';
import { listNames, type NameRow, putName } from './names-repository.ts';
import {
  type CategorySeed,
  countListedAds,
  deleteCategory,
  findCurrentCategory,
  hasMoreAds,
  insertCategory,
  isCategoryUsed,
  keepAliases,
  listCategories,
  lockCategories,
  lockCategory,
  moveAds,
  orderCategories,
  putCategory,
  updateCategory,
} from './repository.ts';

export interface SeedCounts {
  created: number;
  updated: number;
  unchanged: number;
  pruned: number;
  disabled: number;
}

export interface SeedOptions extends AuditContext {
  prune?: boolean;
  actor?: Actor;
}

/** Makes the table match the seeds in one transaction. Idempotent. */
export const seedCategories = (
  ctx: { db: Db },
  seeds: readonly CategorySeed[],
  { prune = false, actor, reason }: SeedOptions = {},
): Promise<SeedCounts> =>
  inTransaction(ctx.db, async (trx) => {
    if (actor) await lockActiveAdmin(trx, actor);
    const counts: SeedCounts = { created: 0, updated: 0, unchanged: 0, pruned: 0, disabled: 0 };
    for (const [position, seed] of seeds.entries()) counts[await putCategory(trx, seed, position)]++;
    if (prune) await pruneCategories(trx, new Set(seeds.map(({ slug }) => slug)), counts);
    if (actor && counts.unchanged < seeds.length + counts.pruned + counts.disabled)
      await recordAudit(trx, actor, { action: 'category.seed', details: { ...counts, reason } });
    return counts;
  });

const pruneCategories = async (trx: Trx, wanted: ReadonlySet<string>, counts: SeedCounts): Promise<void> => {
  for (const category of await listCategories(trx)) {
    if (wanted.has(category.slug)) continue;
    if (!(await isCategoryUsed(trx, category.id))) {
      await deleteCategory(trx, category.id);
      counts.pruned++;
    } else if (!category.is_disabled) {
      await updateCategory(trx, category.id, { is_disabled: true });
      counts.disabled++;
    }
  }
};

type Recorded = Record<string, unknown> & AuditContext;

const audit = (trx: Trx, actor: Actor, verb: string, category: CategoryRow, { requestId, ...details }: Recorded) =>
  recordAudit(trx, actor, { action: `category.${verb}`, target: ['category', category.slug], details, requestId });

const getLocked = async (trx: Trx, slugOrName: string): Promise<CategoryRow> => {
  const category = await findCurrentCategory(trx, slugOrName);
  if (!category) throw notFound('errors.noCategory', { name: slugOrName });
  return lockCategory(trx, category.id);
};

const checkFree = async (trx: Trx, slugOrName: string, own?: number): Promise<void> => {
  const taken = await findCurrentCategory(trx, slugOrName);
  if (taken && taken.id !== own) throw conflict('errors.categoryTaken', { name: taken.name, slug: taken.slug });
};

const CategoryName = text({ max: 50, required: 'fields.nameRequired' });
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** `/api/categories/stats` is another endpoint. */
const RESERVED = new Set(['stats']);

const checkNames = ({ slug, name }: { slug?: string | undefined; name?: string | undefined }): void => {
  if (slug !== undefined && (!SLUG.test(slug) || slug.length > 50)) throw invalid({ slug: 'errors.slugForm' });
  if (slug !== undefined && RESERVED.has(slug)) throw invalid({ slug: 'errors.slugReserved' });
  if (name !== undefined && !CategoryName.safeParse(name).success) throw invalid({ name: 'errors.nameForm' });
};

/** Adds a category, with its names in further languages. @throws {AppError} conflict, as nameCategory */
export const addCategory = (
  ctx: AppContext,
  actor: Actor,
  { names = [], ...given }: CategorySeed & { names?: readonly FurtherName[] | undefined },
  context: AuditContext = {},
): Promise<CategoryRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    checkNames(given);
    const seed = { ...given, name: cleanText(given.name) };
    await checkFree(trx, seed.slug);
    await checkFree(trx, seed.name);
    const category = await insertCategory(trx, seed);
    await audit(trx, actor, 'add', category, { name: seed.name, ...context });
    for (const name of names) await nameCategory(withDatabase(ctx, trx), actor, category.slug, name, context);
    return category;
  });

export interface CategoryChange {
  name?: string | undefined;
  slug?: string | undefined;
  emoji?: string | undefined;
}

export const renameCategory = (
  ctx: AppContext,
  actor: Actor,
  slugOrName: string,
  given: CategoryChange,
  { reason, requestId }: AuditContext = {},
): Promise<CategoryRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    checkNames(given);
    const change = { ...given, name: given.name && cleanText(given.name) };
    const before = await getLocked(trx, slugOrName);
    for (const word of [change.slug, change.name]) if (word) await checkFree(trx, word, before.id);
    const after = await updateCategory(trx, before.id, change);
    await keepAliases(trx, before, after);
    const isSame = before.name === after.name && before.slug === after.slug && before.emoji === after.emoji;
    if (!isSame) await audit(trx, actor, 'rename', before, { name: after.name, slug: after.slug, reason, requestId });
    return after;
  });

interface Merge {
  from: string;
  into: string;
  /** A request may not move more: it would take too long. */
  mostAds?: number;
}

export const mergeCategories = (
  ctx: AppContext,
  actor: Actor,
  { from, into, mostAds }: Merge,
  { reason, requestId }: AuditContext = {},
): Promise<number> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const [source, target] = [await getLocked(trx, from), await getLocked(trx, into)];
    if (source.id === target.id) throw conflict('errors.mergeIntoSelf');
    if (mostAds !== undefined && (await hasMoreAds(trx, source.id, mostAds)))
      throw conflict('errors.mergeInTerminal', { name: source.name, max: mostAds });
    const ads = await moveAds(trx, source.id, target.id);
    await deleteCategory(trx, source.id);
    await keepAliases(trx, source, target);
    await audit(trx, actor, 'merge', source, { into: target.slug, ads, reason, requestId });
    return ads;
  });

/** Hides a category from forms and filters, or shows it; its ads stay. A repetition changes nothing. */
export const setCategoryDisabled = (
  ctx: AppContext,
  actor: Actor,
  slugOrName: string,
  isDisabled: boolean,
  { reason, requestId }: AuditContext = {},
): Promise<CategoryRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const category = await getLocked(trx, slugOrName);
    if (category.is_disabled === isDisabled) return category;
    await audit(trx, actor, isDisabled ? 'disable' : 'enable', category, { reason, requestId });
    return updateCategory(trx, category.id, { is_disabled: isDisabled });
  });

/** Puts a category in front of another, or behind all. */
export const moveCategory = (
  ctx: AppContext,
  actor: Actor,
  slugOrName: string,
  before: string | null,
  { reason, requestId }: AuditContext = {},
): Promise<CategoryRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const all = await lockCategories(trx);
    const moved = await getLocked(trx, slugOrName);
    const next = before === null ? undefined : await getLocked(trx, before);
    if (next?.id === moved.id) return moved;
    const others = all.filter(({ id }) => id !== moved.id);
    const at = next ? others.findIndex(({ id }) => id === next.id) : others.length;
    const isSame = all.findIndex(({ id }) => id === moved.id) === at;
    await orderCategories(trx, others.toSpliced(at, 0, moved));
    if (!isSame) await audit(trx, actor, 'move', moved, { before: next?.slug ?? null, reason, requestId });
    return lockCategory(trx, moved.id);
  });

/** Changes with what an administrator edits. */
export const toCategoryVersion = (
  { slug, name, emoji, is_disabled }: CategoryRow,
  names: readonly NameRow[],
): string => {
  const further = names.map((one) => [one.language, one.name]);
  return hash('sha256', JSON.stringify([slug, name, emoji, is_disabled, further]), 'base64url').slice(0, 16);
};

interface FurtherName {
  language: string;
  /** Empty: none of its own. */
  name: string;
}

/**
 * What a category is called in one of the marketplace's languages.
 * @throws {AppError} conflict when another category has the name in this language
 */
export const nameCategory = (
  ctx: AppContext,
  actor: Actor,
  slugOrName: string,
  given: FurtherName,
  { reason, requestId }: AuditContext = {},
): Promise<CategoryRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const language = toLocaleOf(ctx.config, given.language);
    const name = cleanText(given.name);
    if (name !== '') checkNames({ name });
    const category = await getLocked(trx, slugOrName);
    const before = (await listNames(trx, { category_id: category.id, language }))[0]?.name ?? '';
    if (name === before) return category;
    const others = (await listCategories(trx)).filter(({ id }) => id !== category.id);
    const taken = (await nameIn(trx, others, language)).find((row) => row.name.toLowerCase() === name.toLowerCase());
    if (taken) throw conflict('errors.categoryTaken', { name: taken.name, slug: taken.slug });
    await putName(trx, { category_id: category.id, language, name });
    await audit(trx, actor, 'name', category, { language, name: name || null, reason, requestId });
    return category;
  });

interface CategoryEdit extends CategoryChange {
  isDisabled?: boolean | undefined;
  names?: readonly FurtherName[] | undefined;
  version?: string | undefined;
}

/** @throws {AppError} conflict when the category has changed since `version`, or the slug or name is taken */
export const changeCategory = (
  ctx: AppContext,
  actor: Actor,
  slug: string,
  { isDisabled, version, names = [], ...change }: CategoryEdit,
  context: AuditContext = {},
): Promise<CategoryRow> =>
  inTransaction(ctx.db, async (trx) => {
    const inside = withDatabase(ctx, trx);
    await lockActiveAdmin(trx, actor);
    const before = await getLocked(trx, slug);
    const present = await listNames(trx, { category_id: before.id });
    if (version !== undefined && version !== toCategoryVersion(before, present))
      throw conflict('errors.categoryChanged');
    const renamed = await renameCategory(inside, actor, before.slug, change, context);
    for (const name of names) await nameCategory(inside, actor, renamed.slug, name, context);
    return isDisabled === undefined ? renamed : setCategoryDisabled(inside, actor, renamed.slug, isDisabled, context);
  });

export interface AdminCategoryRow extends CategoryRow {
  ads: number;
  names: NameRow[];
}

/** All categories in their order, disabled ones too, with how many ads are listed in each. */
export const listAllCategories = async ({ db }: AppContext, actor: Actor): Promise<AdminCategoryRow[]> => {
  if (!isAdmin(actor)) throw forbidden();
  const [categories, ads, names] = await Promise.all([listCategories(db), countListedAds(db), listNames(db, {})]);
  return categories.map((category) => ({ ...category, ads: ads.get(category.id) ?? 0, names }));
};
