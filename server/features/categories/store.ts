import type { Db, Trx } from '../../db/connect.ts';
import type { CategoryRow } from '../../db/tables.ts';

/** All categories in their order; disabled ones too. */
export const listCategories = (db: Db): Promise<CategoryRow[]> => db<CategoryRow>('categories').orderBy('position');

/** By slug or name, in any case. Disabled ones are found too: their ads stay. */
export const findCategory = (db: Db, slugOrName: string): Promise<CategoryRow | undefined> => {
  const key = slugOrName.trim().toLowerCase();
  return db<CategoryRow>('categories')
    .whereRaw('slug = ? or lower(name) = ?', [key, key])
    .orderByRaw('slug = ? desc', [key])
    .first();
};

export interface CategorySeed {
  slug: string;
  name: string;
  emoji: string;
}

/** Creates or corrects one category; says what it did. */
export const putCategory = async (
  trx: Trx,
  seed: CategorySeed,
  position: number,
): Promise<'created' | 'updated' | 'unchanged'> => {
  const row = { ...seed, position };
  const old = await trx<CategoryRow>('categories').where({ slug: seed.slug }).forUpdate().first();
  if (old === undefined) {
    await trx('categories').insert(row);
    return 'created';
  }
  if (old.name === seed.name && old.emoji === seed.emoji && old.position === position) return 'unchanged';
  await trx('categories').where({ id: old.id }).update(row);
  return 'updated';
};
