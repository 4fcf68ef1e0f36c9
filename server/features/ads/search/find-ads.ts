import type { AdFilter } from '../../../../contract/filters.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { AppContext } from '../../../app-context.ts';
import type { ListFilter } from './filters.ts';
import { parseWords } from './parse-search.ts';
import { type FoundPage, findPage, type PageRequest, type Total } from './repository.ts';
import { resolveFilter, toWordFilter } from './resolve-filter.ts';
import { correctSearch, hasMisspelling } from './suggestions.ts';
import type { TextQuery } from './words/compose.ts';

/** What a list has found. */
export interface FoundAds extends FoundPage {
  filter: ListFilter | undefined;
  /** The words that were searched for, if not those that were typed. */
  search?: string;
  /** Whether the ads have all words or some of them; absent without words. */
  match?: 'all' | 'some';
}

/** How the first page was found: a cursor says it, so that the next pages follow the same way. */
interface Way {
  isCorrected: boolean;
  /** By which of the weaker searches, from 1 on; 0: by all words. */
  weaker: number;
  /** Sold ads follow the others. */
  isSold: boolean;
  cursor: string | undefined;
}

const WAY = /^(?<corrected>c?)(?<weaker>[1-3]?)(?<sold>s?)~(?<rest>.*)$/;

const parseWay = (cursor: string | undefined): Way | undefined => {
  if (cursor === undefined) return undefined;
  const { corrected, weaker, sold, rest } = WAY.exec(cursor)?.groups ?? {};
  return {
    isCorrected: corrected === 'c',
    weaker: Number(weaker ?? 0),
    isSold: sold === 's',
    cursor: rest ?? cursor,
  };
};

const formatWay = ({ isCorrected, weaker, isSold, cursor = '' }: Way): string => {
  const way = `${isCorrected ? 'c' : ''}${weaker || ''}${isSold ? 's' : ''}`;
  return way === '' ? cursor : `${way}~${cursor}`;
};

const addTotals = (one: Total | undefined, other: Total | undefined): Total | undefined =>
  one && other && { count: one.count + other.count, isExact: one.isExact && other.isExact };

interface Part {
  ctx: AppContext;
  filter: ListFilter;
  query: PageRequest;
  showSold: boolean;
}

/** A page of unsold ads, and of sold ones behind them. The cursors are those of `way`. */
const findUnsoldFirst = async (
  { ctx, filter, query, showSold }: Part,
  way: Way,
  isFirst: boolean,
): Promise<FoundPage> => {
  // the cursor of a list with sold ads is none of this list
  const cursor = way.isSold && !showSold ? undefined : way.cursor;
  const find = (isSold: boolean, from: PageRequest) =>
    findPage(ctx.reads, { ...filter, ...(isSold ? { isSold } : { isUnsold: true }) }, from);
  const request = { sort: query.sort, limit: query.limit };
  const withWay = (page: FoundPage, isSold: boolean): FoundPage => ({
    ...page,
    nextCursor: page.nextCursor === null ? null : formatWay({ ...way, isSold, cursor: page.nextCursor }),
  });
  if (way.isSold && showSold) return withWay(await find(true, { ...request, cursor: cursor || undefined }), true);
  const unsold = await find(false, { ...request, cursor });
  if (!showSold) return withWay(unsold, false);
  const room = (query.limit ?? LIMITS.pageSize) - unsold.ids.length;
  const sold =
    isFirst || unsold.nextCursor === null ? await find(true, { ...request, limit: Math.max(1, room) }) : undefined;
  const total = isFirst ? addTotals(unsold.total, sold?.total) : undefined;
  if (sold === undefined || unsold.nextCursor !== null) return { ...withWay(unsold, false), ...(total && { total }) };
  if (room === 0) {
    const nextCursor = sold.ids.length > 0 ? formatWay({ ...way, isSold: true, cursor: undefined }) : null;
    return { ...unsold, nextCursor, ...(total && { total }) };
  }
  return {
    ...withWay(sold, true),
    ids: [...unsold.ids, ...sold.ids],
    ...(unsold.chords && sold.chords && { chords: [...unsold.chords, ...sold.chords] }),
    ...(total && { total }),
  };
};

type Query = Pick<AdFilter, 'search' | 'category' | 'sort' | 'cursor' | 'limit' | 'showSold' | 'hideSold' | 'exact'> &
  Parameters<typeof resolveFilter>[1];

const NOTHING: FoundPage = { ids: [], nextCursor: null, total: { count: 0, isExact: true } };

/**
 * The ads of a list. If no ad has all words, those with the words put right, and else those with most of the words.
 * @throws {AppError} validation_failed, overloaded
 */
export const findAds = async (ctx: AppContext, query: Query, viewerId: string | undefined): Promise<FoundAds> => {
  const { search = '', exact } = query;
  const showSold = query.showSold && !query.hideSold;
  const base = await resolveFilter(ctx.reads, query);
  if (base === undefined) return { ...NOTHING, filter: undefined };
  const begun = parseWay(query.cursor);
  const findFor = async (found: TextQuery | null, way: Way): Promise<FoundPage> => {
    const filter = { ...base, viewerId, ...toWordFilter(found) };
    const request = { sort: query.sort ?? (found ? 'best' : 'newest'), limit: query.limit };
    const { total, ...page } = await findUnsoldFirst(
      { ctx, filter, query: request, showSold },
      way,
      begun === undefined,
    );
    // behind a cursor, a total is that of the sold ads alone
    return begun === undefined && total ? { ...page, total } : page;
  };
  const first: Way = { isCorrected: false, weaker: 0, isSold: false, cursor: undefined };
  if (search.trim() === '') return { ...(await findFor(null, begun ?? first)), filter: base };
  const typed = await parseWords(ctx, ctx.reads, search);
  if (typed === null) return { ...NOTHING, filter: base };
  const correct = () => (exact ? null : correctSearch(ctx, query));
  if (begun) {
    const corrected = begun.isCorrected ? await correct() : null;
    const words = corrected?.words ?? typed;
    const found = begun.weaker === 0 ? words.all : words.listWeaker()[begun.weaker - 1];
    const page = found ? await findFor(found, begun) : { ids: [], nextCursor: null };
    return {
      ...page,
      filter: base,
      match: begun.weaker > 0 ? 'some' : 'all',
      ...(corrected !== null && { search: corrected.search }),
    };
  }
  const findCorrected = async (): Promise<FoundAds | undefined> => {
    const corrected = await correct();
    if (corrected === null) return undefined;
    const page = await findFor(corrected.words.all, { ...first, isCorrected: true });
    return page.ids.length > 0 ? { ...page, filter: base, match: 'all', search: corrected.search } : undefined;
  };
  // also if some ads have the same error: those are found by the right spelling, too
  const isMisspelt = !exact && (await hasMisspelling(ctx, search));
  const put = isMisspelt ? await findCorrected() : undefined;
  if (put) return put;
  const all = await findFor(typed.all, first);
  if (all.ids.length > 0) return { ...all, filter: base, match: 'all' };
  const corrected = isMisspelt ? undefined : await findCorrected();
  if (corrected) return corrected;
  for (const [i, found] of typed.listWeaker().entries()) {
    const page = await findFor(found, { ...first, weaker: i + 1 });
    if (page.ids.length > 0) return { ...page, filter: base, match: 'some' };
  }
  return { ...all, filter: base, match: 'all' };
};
