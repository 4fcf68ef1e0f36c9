import { PAGE_TEXT_LIMITS, type TextPage } from '../../../contract/page-texts.ts';
import { publish } from '../../db/events.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

/** The language of a text. The marketplace has one so far. */
export const LANGUAGE = 'en';

type Row = Tables['page_texts'];
/** A version of a page's text; without a body, the built-in one. */
export type PageTextRow = Pick<Row, 'id' | 'page' | 'body' | 'created_at'>;

/** The newest version of each page that has one. */
export const listCurrentTexts = (db: Db): Promise<PageTextRow[]> =>
  db<Row>('page_texts')
    .distinctOn('page')
    .where({ language: LANGUAGE })
    .orderBy(['page', { column: 'id', order: 'desc' }])
    .select('id', 'page', 'body', 'created_at');

export const findCurrentText = async (db: Db, page: TextPage): Promise<PageTextRow | undefined> =>
  db<Row>('page_texts')
    .where({ page, language: LANGUAGE })
    .orderBy('id', 'desc')
    .first('id', 'page', 'body', 'created_at');

export const findVersion = async (db: Db, page: TextPage, id: string): Promise<PageTextRow | undefined> =>
  db<Row>('page_texts').where({ page, language: LANGUAGE, id }).first('id', 'page', 'body', 'created_at');

export interface VersionRow {
  id: string;
  created_at: string;
  username: string | null;
  characters: number | null;
}

/** The newest first, without their texts. */
export const listVersions = (db: Db, page: TextPage): Promise<VersionRow[]> =>
  db('page_texts as t')
    .leftJoin('users as u', 'u.id', 't.created_by')
    .where({ 't.page': page, 't.language': LANGUAGE })
    .orderBy('t.id', 'desc')
    .select('t.id', 't.created_at', 'u.username', db.raw('char_length(t.body) as characters'));

/** Serialises changes of the texts. */
export const lockTexts = async (trx: Trx): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('page_texts'))");
};

/** Adds a version and deletes those that are too old. */
export const addVersion = async (
  trx: Trx,
  page: TextPage,
  body: string | null,
  userId: string | null,
): Promise<PageTextRow> => {
  const [row] = await trx<Row>('page_texts')
    .insert({ page, language: LANGUAGE, body, created_by: userId })
    .returning(['id', 'page', 'body', 'created_at']);
  const tooOld = trx('page_texts')
    .where({ page, language: LANGUAGE })
    .orderBy('id', 'desc')
    .offset(PAGE_TEXT_LIMITS.versions)
    .select('id');
  await trx('page_texts').whereIn('id', tooOld).delete();
  await publish(trx, 'pages', {});
  return row as PageTextRow;
};
