import type { ImportMapping } from '../../../contract/imports.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Db, Trx } from '../../db/pools.ts';

/** What a person chose for files of this kind. Its use keeps it from being the first to go. */
export const findChoices = async (db: Db, userId: string, kind: string): Promise<ImportMapping | undefined> => {
  const [row] = await db('import_choices')
    .where({ user_id: userId, kind })
    .update({ used_at: db.fn.now() } as never)
    .returning<{ choices: ImportMapping }[]>('choices');
  return row?.choices;
};

/** Remembers choices, of at most LIMITS.importChoices kinds. */
export const rememberChoices = async (
  trx: Trx,
  userId: string,
  kind: string,
  choices: ImportMapping,
): Promise<void> => {
  const values = { choices: JSON.stringify(choices), used_at: trx.fn.now() };
  await trx('import_choices')
    .insert({ user_id: userId, kind, ...values } as never)
    .onConflict(['user_id', 'kind'])
    .merge();
  const newest = trx('import_choices')
    .where({ user_id: userId })
    .orderBy([{ column: 'used_at', order: 'desc' }, 'kind'])
    .limit(LIMITS.importChoices)
    .select('kind');
  await trx('import_choices').where({ user_id: userId }).whereNotIn('kind', newest).delete();
};
