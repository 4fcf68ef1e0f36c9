import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

export type NameRow = Tables['category_names'];

/** The names that administrators gave categories in further languages: of one category, in one language, or all. */
export const listNames = (db: Db, which: Partial<Pick<NameRow, 'category_id' | 'language'>>): Promise<NameRow[]> =>
  db<NameRow>('category_names')
    .where(which)
    .orderBy(['category_id', 'language'])
    .select('category_id', 'language', 'name');

/** An empty name takes the present one away. */
export const putName = async (trx: Trx, { name, ...key }: NameRow): Promise<void> => {
  if (name === '') await trx('category_names').where(key).delete();
  else
    await trx('category_names')
      .insert({ ...key, name })
      .onConflict(['category_id', 'language'])
      .merge();
};
