import type { Language } from '../../../contract/languages.ts';
import { PAGE_TEXT_LIMITS, type TextPage } from '../../../contract/page-texts.ts';
import { publish } from '../../db/events.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

type Row = Tables['page_texts'];
/** A version of a page's text in a language; without a body, it has none of its own. */
export type PageTextRow = Pick<Row, 'id' | 'page' | 'language' | 'body' | 'created_at'>;

/** A page in one of its languages. */
export interface Sheet {
  page: TextPage;
  language: Language;
}

const COLUMNS = ['id', 'page', 'language', 'body', 'created_at'] as const;

/** The newest version of each page in each language that has one. */
export const listCurrentTexts = (db: Db): Promise<PageTextRow[]> =>
  db<Row>('page_texts')
    .distinctOn('page', 'language')
    .orderBy(['page', 'language', { column: 'id', order: 'desc' }])
    .select(...COLUMNS);

export const findVersion = async (db: Db, sheet: Sheet, id: string): Promise<PageTextRow | undefined> =>
  db<Row>('page_texts')
    .where({ ...sheet, id })
    .first(...COLUMNS);

export interface VersionRow {
  id: string;
  created_at: string;
  username: string | null;
  characters: number | null;
}

/** The newest first, without their texts. */
export const listVersions = (db: Db, { page, language }: Sheet): Promise<VersionRow[]> =>
  db('page_texts as t')
    .leftJoin('users as u', 'u.id', 't.created_by')
    .where({ 't.page': page, 't.language': language })
    .orderBy('t.id', 'desc')
    .select('t.id', 't.created_at', 'u.username', db.raw('char_length(t.body) as characters'));

/** Serialises changes of the texts. */
export const lockTexts = async (trx: Trx): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('page_texts'))");
};

/** Adds a version and deletes those that are too old. */
export const addVersion = async (
  trx: Trx,
  sheet: Sheet,
  body: string | null,
  userId: string | null,
): Promise<PageTextRow> => {
  const [row] = await trx<Row>('page_texts')
    .insert({ ...sheet, body, created_by: userId })
    .returning([...COLUMNS]);
  const tooOld = trx('page_texts').where(sheet).orderBy('id', 'desc').offset(PAGE_TEXT_LIMITS.versions).select('id');
  await trx('page_texts').whereIn('id', tooOld).delete();
  await publish(trx, 'pages', {});
  return row as PageTextRow;
};
