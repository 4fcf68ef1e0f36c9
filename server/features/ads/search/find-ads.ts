import type { AdFilter } from '../../../../contract/filters.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { AppContext } from '../../../app-context.ts';
import type { ListFilter } from './filters.ts';
import { type ParsedSearch, parseWords } from './parse-search.ts';
import { type FoundPage, findPage, type PageRequest, type Total } from './repository.ts';
import { resolveFilter, toWordFilter } from './resolve-filter.ts';
import { correctSearch } from './suggestions.ts';

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
  /** How many words an ad may lack. */
  missing: number;
  /** Sold ads follow the others. */
  isSold: boolean;
  cursor: string | undefined;
}

const WAY = /^(?<corrected>c?)(?:(?<missing>[1-7])?)(?<sold>s?)~(?<rest>.*)$/;

const parseWay = (cursor: string | undefined): Way | undefined => {
  if (cursor === undefined) return undefined;
  const { corrected, missing, sold, rest } = WAY.exec(cursor)?.groups ?? {};
  return {
    isCorrected: corrected === 'c',
    missing: Number(missing ?? 0),
    isSold: sold === 's',
    cursor: rest ?? cursor,
  };
};

const formatWay = ({ isCorrected, missing, isSold, cursor = '' }: Way): string => {
  const way = `${isCorrected ? 'c' : ''}${missing || ''}${isSold ? 's' : ''}`;
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
  const { cursor } = way;
  const find = (isSold: boolean, from: PageRequest) =>
    findPage(ctx.reads, { ...filter, ...(isSold ? { isSold } : { isUnsold: true }) }, from);
  const request = { sort: query.sort, limit: query.limit };
  const withWay = (page: FoundPage, isSold: boolean): FoundPage => ({
    ...page,
    nextCursor: page.nextCursor === null ? null : formatWay({ ...way, isSold, cursor: page.nextCursor }),
  });
  if (way.isSold) return withWay(await find(true, { ...request, cursor: cursor || undefined }), true);
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

/** How many words an ad may lack at most. */
const MOST_MISSING = 7;

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
  const findFor = async (words: ParsedSearch | null, way: Way): Promise<FoundPage | undefined> => {
    const found = way.missing === 0 ? words?.all : words?.without(way.missing);
    if (way.missing > 0 && !found) return undefined;
    const filter = { ...base, viewerId, ...toWordFilter(found ?? null) };
    const request = { sort: query.sort ?? (found ? 'best' : 'newest'), limit: query.limit };
    return findUnsoldFirst({ ctx, filter, query: request, showSold }, way, begun === undefined);
  };
  const first: Way = { isCorrected: false, missing: 0, isSold: false, cursor: undefined };
  if (search.trim() === '') return { ...(await findFor(null, begun ?? first))!, filter: base };
  const typed = await parseWords(ctx, ctx.reads, search);
  if (typed === null) return { ...NOTHING, filter: base };
  const correct = () => (exact ? null : correctSearch(ctx, query));
  if (begun) {
    const corrected = begun.isCorrected ? await correct() : null;
    const words = corrected === null ? typed : await parseWords(ctx, ctx.reads, corrected, 'is-whole');
    const page = (await findFor(words, begun)) ?? { ids: [], nextCursor: null };
    return {
      ...page,
      filter: base,
      match: begun.missing > 0 ? 'some' : 'all',
      ...(corrected !== null && { search: corrected }),
    };
  }
  const all = (await findFor(typed, first))!;
  if (all.ids.length > 0) return { ...all, filter: base, match: 'all' };
  const corrected = await correct();
  if (corrected !== null) {
    const page = await findFor(await parseWords(ctx, ctx.reads, corrected, 'is-whole'), {
      ...first,
      isCorrected: true,
    });
    if (page && page.ids.length > 0) return { ...page, filter: base, match: 'all', search: corrected };
  }
  for (let missing = 1; missing <= MOST_MISSING; missing++) {
    const page = await findFor(typed, { ...first, missing });
    if (page === undefined) break;
    if (page.ids.length > 0) return { ...page, filter: base, match: 'some' };
  }
  return { ...all, filter: base, match: 'all' };
};
