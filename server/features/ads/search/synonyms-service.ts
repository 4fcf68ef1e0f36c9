import { LIMITS } from '../../../../contract/limits.ts';
import type { SynonymInput } from '../../../../contract/synonyms.ts';
import { countCharacters } from '../../../../contract/text.ts';
import type { AppContext } from '../../../app-context.ts';
import type { Trx } from '../../../db/pools.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { conflict, invalid, notFound } from '../../../errors.ts';
import { type Actor, getUserId } from '../../../policy.ts';
import { type AuditContext, recordAudit } from '../../audit/repository.ts';
import { lockActiveAdmin } from '../../users/active-actor.ts';
import { LANGUAGES } from './languages/index.ts';
import { parseGroup, type SynonymGroup } from './languages/synonyms.ts';
import { deleteSynonyms, insertSynonyms, listSynonyms, lockSynonyms, type SynonymRow } from './synonyms-repository.ts';
import { foldPhrase } from './words/read-search.ts';

export const tidySynonym = (word: string): string => word.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

const toDetails = ({ words, language, is_one_way }: SynonymRow) => ({ words, language, isOneWay: is_one_way });

/**
 * Adds a group that replaces the built-in synonyms of its words, on every replica within ten seconds. One word alone finds only itself. A
 * repetition changes nothing. @throws {AppError} validation_failed (an unknown language), conflict (LIMITS.synonymGroups)
 */
export const addSynonyms = (
  ctx: AppContext,
  actor: Actor,
  { words, language = null, isOneWay = false }: SynonymInput,
  { requestId, reason }: AuditContext = {},
): Promise<{ group: SynonymRow; isNew: boolean }> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    if (language !== null && !Object.hasOwn(LANGUAGES, language))
      throw invalid({
        language: { key: 'errors.languageOneOf', values: { languages: Object.keys(LANGUAGES).join(', ') } },
      });
    const tidy = [...new Set(words.map(tidySynonym))];
    // some characters become several
    if (tidy.some((word) => countCharacters(word) > LIMITS.synonym))
      throw invalid({ words: { key: 'fields.tooLong', values: { max: String(LIMITS.synonym) } } });
    // signs are in no search, and one word given twice would switch its built-in synonyms off
    if (tidy.some((word) => foldPhrase(word) === '')) throw invalid({ words: 'fields.wordSigns' });
    if (tidy.length === 1 && words.length > 1) throw invalid({ words: 'fields.wordTwice' });
    const group = { words: tidy, language, is_one_way: isOneWay && tidy.length > 1 };
    await lockSynonyms(trx);
    const groups = await listSynonyms(trx);
    const existing = groups.find(
      (row) => JSON.stringify(toDetails(row)) === JSON.stringify(toDetails({ ...row, ...group })),
    );
    if (existing) return { group: existing, isNew: false };
    if (groups.length >= LIMITS.synonymGroups) throw conflict('errors.groupsFull', { max: LIMITS.synonymGroups });
    const row = await insertSynonyms(trx, { ...group, created_by: getUserId(actor) });
    const details = { ...toDetails(row), reason };
    await recordAudit(trx, actor, { action: 'search.synonyms.add', target: ['synonyms', row.id], details, requestId });
    return { group: row, isNew: true };
  });

const removeGroups = async (trx: Trx, actor: Actor, rows: SynonymRow[], { requestId, reason }: AuditContext) => {
  await deleteSynonyms(
    trx,
    rows.map(({ id }) => id),
  );
  for (const row of rows) {
    const details = { ...toDetails(row), reason };
    await recordAudit(trx, actor, {
      action: 'search.synonyms.remove',
      target: ['synonyms', row.id],
      details,
      requestId,
    });
  }
};

/** Removes a group; its words use the built-in groups again. @throws {AppError} not_found */
export const removeSynonyms = (ctx: AppContext, actor: Actor, id: string, audit: AuditContext = {}): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockSynonyms(trx);
    const rows = (await listSynonyms(trx)).filter((row) => row.id === id);
    if (rows.length === 0) throw notFound('errors.groupNotFound');
    await removeGroups(trx, actor, rows, audit);
  });

/** Removes the operators' groups that have this word; none is no error. */
export const removeSynonymsOf = (
  ctx: AppContext,
  actor: Actor,
  word: string,
  audit: AuditContext = {},
): Promise<SynonymRow[]> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockSynonyms(trx);
    const rows = (await listSynonyms(trx)).filter(({ words }) => words.includes(tidySynonym(word)));
    if (rows.length > 0) await removeGroups(trx, actor, rows, audit);
    return rows;
  });

/** The built-in groups that have this word. */
export const listBuiltInSynonyms = (word: string): SynonymGroup[] =>
  Object.values(LANGUAGES)
    .flatMap(({ synonyms }) => synonyms.map(parseGroup))
    .filter(({ words }) => words.includes(tidySynonym(word)));
