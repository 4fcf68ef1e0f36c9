import type { Db, Trx } from '../../../db/pools.ts';
import type { Tables } from '../../../db/tables.ts';

export type SynonymRow = Tables['search_synonyms'];

export const listSynonyms = (db: Db): Promise<SynonymRow[]> => db('search_synonyms').orderBy('id');

/** Serialises administrators, so that the limit holds. */
export const lockSynonyms = async (trx: Trx): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('search_synonyms'))");
};

export const insertSynonyms = async (
  trx: Trx,
  group: Pick<SynonymRow, 'words' | 'language' | 'is_one_way' | 'created_by'>,
): Promise<SynonymRow> => {
  const [row] = await trx('search_synonyms').insert(group).returning<SynonymRow[]>('*');
  return row!;
};

export const deleteSynonyms = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await trx('search_synonyms').whereIn('id', ids).delete();
};
