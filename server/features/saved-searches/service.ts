import type { BodyOf } from '../../../contract/endpoint.ts';
import { AdFilter } from '../../../contract/filters.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type * as api from '../../../contract/saved-searches.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { parseSearch } from '../ads/search/parse-search.ts';
import { listRequiredWords } from '../ads/search/query-words.ts';
import { resolveFilter } from '../ads/search/resolve-filter.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { lockUsers } from '../users/repository.ts';
import {
  deleteMatches,
  deleteSavedSearch as deleteRow,
  findRarest,
  findSavedSearch,
  insertSavedSearch,
  lockSavedSearch,
  type SavedSearchRow,
  updateSavedSearch as updateRow,
} from './repository.ts';

/**
 * Saves a search. Ads that become public from now on match it. @throws {AppError} validation_failed (an unknown category;
 * filters that filter nothing), conflict (LIMITS.savedSearches)
 */
export const createSavedSearch = (
  ctx: AppContext,
  actor: UserActor,
  { name, frequency, filters }: BodyOf<typeof api.createSavedSearch>,
): Promise<SavedSearchRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockUsers(trx, [actor.id]);
    await lockActiveActor(trx, actor);
    const given = AdFilter.parse(filters);
    const found = await resolveFilter(trx, given);
    if (found === undefined) throw invalid({ filters: 'errors.unknownCategoryOrPlace' });
    const words = await parseSearch(ctx, trx, given.search ?? '');
    const { near, ...others } = found;
    // a place without a radius filters nothing, and its cells are for the index of the list
    const stored = {
      ...others,
      query: words?.text,
      near: near?.chord === undefined ? undefined : { ...near, cells: [] },
    };
    const resolved = Object.fromEntries(Object.entries(stored).filter(([, value]) => value));
    if (Object.keys(resolved).length === 0) throw invalid({ filters: 'errors.filtersMatchAll' });
    const id = await insertSavedSearch(trx, {
      userId: actor.id,
      name,
      frequency,
      filters,
      resolved,
      keyWords: words ? ((await findRarest(trx, listRequiredWords(words.text))) ?? null) : null,
    });
    if (id === undefined) throw conflict('errors.searchesFull', { max: LIMITS.savedSearches });
    return (await findSavedSearch(trx, actor.id, id))!;
  });

/** Locks in the order of the jobs that match and notify. */
const lockOwn = async (trx: Trx, actor: UserActor, id: string): Promise<SavedSearchRow> => {
  await lockActiveActor(trx, actor);
  const search = await lockSavedSearch(trx, actor.id, id);
  if (search === undefined) throw notFound('errors.savedSearchNotFound');
  return search;
};

export const updateSavedSearch = (
  ctx: AppContext,
  actor: UserActor,
  id: string,
  change: BodyOf<typeof api.updateSavedSearch>,
): Promise<SavedSearchRow> =>
  inTransaction(ctx.db, async (trx) => {
    const search = await lockOwn(trx, actor, id);
    const { name = search.name, frequency = search.frequency } = change;
    const moment = { now: ctx.clock.now().toISOString(), timeZone: ctx.config.timeZone };
    await updateRow(trx, id, { name, frequency }, moment);
    return (await findSavedSearch(trx, actor.id, id))!;
  });

export const deleteSavedSearch = (ctx: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockOwn(trx, actor, id);
    await deleteRow(trx, id);
  });

/** The actor has seen the new ads of the search: its count starts again at zero. A repetition changes nothing. */
export const markSeen = (ctx: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockOwn(trx, actor, id);
    await deleteMatches(trx, id);
  });
