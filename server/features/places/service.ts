import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AppContext } from '../../app-context.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { invalid } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Actor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import {
  analyzePlaces,
  deleteOtherPlaces,
  hasPlaces,
  lockPlaces,
  moveListedAds,
  type NamedPlaceRow,
  putPlaceNames,
  putPlaces,
} from './repository.ts';

export interface PlaceCounts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
  /** Places that are not wanted, but that ads refer to. */
  kept: number;
}

export interface SeedPlacesOptions extends AuditContext {
  /** ISO 3166-1 alpha-2 codes; default all countries. */
  countries?: readonly string[] | undefined;
  actor?: Actor;
  signal?: AbortSignal | undefined;
  onProgress?: (done: number, total: number) => void;
}

const readGeoNames = async (signal?: AbortSignal): Promise<NamedPlaceRow[][]> => {
  const batches: NamedPlaceRow[][] = [];
  const thread = new Worker(new URL('./geonames.ts', import.meta.url));
  try {
    for await (const [batch] of on(thread, 'message', { close: ['exit'], signal })) batches.push(batch);
  } finally {
    await thread.terminate();
  }
  return batches;
};

const chooseCountries = (batches: readonly NamedPlaceRow[][], countries: readonly string[]): NamedPlaceRow[][] => {
  const known = new Set(batches.flat().map(({ country }) => country));
  const unknown = countries.filter((country) => !known.has(country));
  if (unknown.length > 0)
    throw invalid({ countries: { key: 'errors.noPlacesIn', values: { countries: unknown.join(', ') } } });
  return batches
    .map((batch) => batch.filter(({ country }) => countries.includes(country)))
    .filter(({ length }) => length > 0);
};

const writePlaces = async (
  trx: Trx,
  batches: readonly NamedPlaceRow[][],
  { signal, onProgress }: SeedPlacesOptions,
): Promise<PlaceCounts> => {
  const ids = batches.flat().map(({ id }) => id);
  const counts = { created: 0, updated: 0 };
  let done = 0;
  for (const batch of batches) {
    signal?.throwIfAborted();
    const { created, updated } = await putPlaces(trx, batch);
    await putPlaceNames(trx, batch);
    counts.created += created;
    counts.updated += updated;
    done += batch.length;
    onProgress?.(done, ids.length);
  }
  const { removed, kept } = await deleteOtherPlaces(trx, ids);
  await moveListedAds(trx);
  await analyzePlaces(trx);
  return { ...counts, unchanged: ids.length - counts.created - counts.updated, removed, kept };
};

/**
 * Makes the table hold the places of these countries, in one transaction. Idempotent. A place that ads refer to is never
 * removed. A second process waits for the first and then changes nothing. @throws {AppError} validation_failed for an
 * unknown country
 */
export const seedPlaces = async (ctx: { db: Db }, options: SeedPlacesOptions = {}): Promise<PlaceCounts> => {
  const { countries, actor, reason, signal } = options;
  const all = await readGeoNames(signal);
  const batches = countries ? chooseCountries(all, countries) : all;
  return inTransaction(ctx.db, async (trx) => {
    if (actor) await lockActiveAdmin(trx, actor);
    await lockPlaces(trx);
    const counts = await writePlaces(trx, batches, options);
    if (actor && counts.created + counts.updated + counts.removed > 0)
      await recordAudit(trx, actor, { action: 'places.seed', details: { ...counts, countries, reason } });
    return counts;
  });
};

/** Loads all places into an empty table. Two replicas at once load them once. */
export async function loadMissingPlaces(ctx: AppContext, signal?: AbortSignal): Promise<void> {
  if (await hasPlaces(ctx.db)) return;
  const { created } = await seedPlaces(ctx, { signal });
  if (created > 0) ctx.log.info({ places: created }, 'places were loaded');
}

/** Asks a worker to load places now, unless there are some. Other replicas that ask at the same time add no second job. */
export const requestPlaces = (ctx: AppContext): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    if (!(await hasPlaces(trx))) await enqueue(trx, 'load-places', {}, { key: 'load-places' });
  });
