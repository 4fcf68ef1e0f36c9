import { countRows, type Db, type Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { CategoryRow } from '../../db/rows.ts';

export const listCategories = (db: Db): Promise<CategoryRow[]> => db<CategoryRow>('categories').orderBy('position');

const toKey = (slugOrName: string): string => slugOrName.trim().toLowerCase().replaceAll('\0', '');

/** The category that has the slug or name now. */
export const findCurrentCategory = async (db: Db, slugOrName: string): Promise<CategoryRow | undefined> => {
  const key = toKey(slugOrName);
  const [category] = await queryPrepared<CategoryRow>(
    db,
    `select id, slug, name, emoji, position, is_disabled from categories
     where slug = :key or lower(name) = :key order by slug = :key desc limit 1`,
    { key },
  );
  return category;
};

const findRenamedCategory = async (db: Db, slugOrName: string): Promise<CategoryRow | undefined> => {
  const [category] = await queryPrepared<CategoryRow>(
    db,
    `select c.id, c.slug, c.name, c.emoji, c.position, c.is_disabled
     from category_aliases a join categories c on c.id = a.category_id where a.word = :key`,
    { key: toKey(slugOrName) },
  );
  return category;
};

/** The category that has the slug or name now, else the one that had it last. */
export const findCategory = async (db: Db, slugOrName: string): Promise<CategoryRow | undefined> =>
  (await findCurrentCategory(db, slugOrName)) ?? (await findRenamedCategory(db, slugOrName));

/** The former slugs and names of categories, in lower case, with the slugs of now. */
export const listAliases = (db: Db): Promise<{ word: string; slug: string }[]> =>
  db('category_aliases as a').join('categories as c', 'c.id', 'a.category_id').select('a.word', 'c.slug');

type Names = Pick<CategoryRow, 'slug' | 'name'>;

const listKeys = ({ slug, name }: Names): string[] => [...new Set([toKey(slug), toKey(name)])];

const dropAliases = (trx: Trx, names: Names) => trx('category_aliases').whereIn('word', listKeys(names)).delete();

/** Lets the former slug and name of a category lead to `category`. Its present ones lead there by themselves. */
export const keepAliases = async (trx: Trx, before: Names, category: CategoryRow): Promise<void> => {
  const present = listKeys(category);
  const rows = listKeys(before)
    .filter((word) => !present.includes(word))
    .map((word) => ({ word, category_id: category.id }));
  await dropAliases(trx, category);
  if (rows.length > 0) await trx('category_aliases').insert(rows).onConflict('word').merge();
};

export interface CategorySeed {
  slug: string;
  name: string;
  emoji: string;
}

export const putCategory = async (
  trx: Trx,
  seed: CategorySeed,
  position: number,
): Promise<'created' | 'updated' | 'unchanged'> => {
  const row = { ...seed, position };
  const old = await trx<CategoryRow>('categories').where({ slug: seed.slug }).forUpdate().first();
  if (old === undefined) {
    await trx('categories').insert(row);
    await dropAliases(trx, seed);
    return 'created';
  }
  if (old.name === seed.name && old.emoji === seed.emoji && old.position === position) return 'unchanged';
  await trx('categories').where({ id: old.id }).update(row);
  await keepAliases(trx, old, { ...old, ...row });
  return 'updated';
};

export const lockCategory = (trx: Trx, id: number): Promise<CategoryRow> =>
  trx<CategoryRow>('categories').where({ id }).forUpdate().first() as Promise<CategoryRow>;

export const insertCategory = async (trx: Trx, { slug, name, emoji }: CategorySeed): Promise<CategoryRow> => {
  const position = trx.raw('(select coalesce(max(position) + 1, 0) from categories)');
  await dropAliases(trx, { slug, name });
  const [row] = await trx('categories').insert({ slug, name, emoji, position }).returning('*');
  return row;
};

export const updateCategory = async (
  trx: Trx,
  id: number,
  { slug, name, emoji, is_disabled }: Partial<Omit<CategoryRow, 'id' | 'position'>>,
): Promise<CategoryRow> => {
  const row = { slug, name, emoji, is_disabled };
  const isEmpty = Object.values(row).every((value) => value === undefined);
  if (isEmpty) return lockCategory(trx, id);
  const [after] = await trx<CategoryRow>('categories').where({ id }).update(row).returning('*');
  return after as CategoryRow;
};

/** All of them in their order. No other transaction changes one until this one ends. */
export const lockCategories = async (trx: Trx): Promise<CategoryRow[]> => {
  const rows = await trx<CategoryRow>('categories').orderBy('id').forUpdate();
  return rows.toSorted((a, b) => a.position - b.position || a.id - b.id);
};

/** Numbers the categories in this order. */
export const orderCategories = async (trx: Trx, categories: readonly CategoryRow[]): Promise<void> => {
  for (const [position, { id, position: before }] of categories.entries())
    if (position !== before) await trx('categories').where({ id }).update({ position });
};

/** Whether more ads than this are in the category, deleted ones too. */
export const hasMoreAds = async (db: Db, id: number, most: number): Promise<boolean> =>
  (await db('ads').where({ category_id: id }).offset(most).first(db.raw('1 as one'))) !== undefined;

export const deleteCategory = (trx: Trx, id: number): Promise<number> => trx('categories').where({ id }).delete();

/** Whether ads, deleted ones too, or saved searches refer to the category. */
export const isCategoryUsed = async (db: Db, id: number): Promise<boolean> => {
  for (const table of ['ads', 'saved_searches'])
    if (await db(table).where({ category_id: id }).first(db.raw('1 as one'))) return true;
  return false;
};

/** Moves all ads, deleted ones too, saved searches and aliases. Returns the number of ads that are not deleted. */
export const moveAds = async (trx: Trx, from: number, into: number): Promise<number> => {
  const moved = await countRows(trx('ads').where({ category_id: from }).whereNot({ state: 'deleted' }));
  for (const table of ['ads', 'saved_searches', 'category_aliases'])
    await trx(table).where({ category_id: from }).update({ category_id: into });
  return moved;
};

export const countListedAds = async (db: Db): Promise<Map<number, number>> => {
  const rows = await db('counter_totals')
    .whereLike('key', 'listed:%')
    .select<{ key: string; value: string }[]>('key', 'value');
  return new Map(rows.map(({ key, value }) => [Number(key.slice('listed:'.length)), Number(value)]));
};
