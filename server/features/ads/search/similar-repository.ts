import type { AppContext } from '../../../app-context.ts';
import type { Db } from '../../../db/pools.ts';
import { queryPrepared } from '../../../db/prepared.ts';
import type { AdRow } from '../../../db/rows.ts';
import { lexiconOf } from './lexicon.ts';
import { type ListFilter, selectListedIds } from './query-builder.ts';
import { readSearch } from './words/read-search.ts';
import { lookUpWords, quoteLexeme } from './words-repository.ts';

export const SIMILAR_ADS = 8;
export const MORE_FROM_SELLER = 4;

/** Of the ad that the others resemble. */
type Model = Pick<AdRow, 'user_id' | 'category_id' | 'title' | 'price'>;

interface Viewer {
  /** Null for a visitor. Their own ads, and those of people whom they blocked, are left out. */
  viewerId: string | null;
}

export interface TitleWord {
  lexemes: readonly string[];
  /** Listed ads with the word; may be a day old. */
  ads: number;
}

/** The words of a title, the rarest first. */
export const listTitleWords = async (ctx: AppContext, title: string): Promise<TitleWord[]> => {
  const { grammar, stemmer } = lexiconOf(ctx);
  const typed = readSearch(title, grammar).terms.map(({ word }) => word);
  const { words } = await lookUpWords(ctx.reads, { words: [...new Set(typed)], ends: [], beginning: '' }, stemmer);
  return [...words]
    .map(([word, { stems, ads }]) => ({ lexemes: [...new Set([...stems, word])], ads }))
    .toSorted((a, b) => a.ads - b.ads || (a.lexemes[0]! < b.lexemes[0]! ? -1 : 1));
};

/** Common words find mostly unrelated ads. */
const SEARCHED_WORDS = 4;
const CANDIDATES = 60;

/** How far apart two prices are: 0 for the same, 1 for one that is e times the other, at most 3. */
const PRICE_GAP = 'least(3, abs(ln((price + 1) / (:price::numeric + 1))))';

/**
 * The best of the newest ads that `filter` finds: those that share rare words with the model and cost about as much
 * come first.
 */
const listBest = async (
  db: Db,
  { price }: Model,
  filter: ListFilter,
  words: readonly TitleWord[],
): Promise<string[]> => {
  const found = selectListedIds(filter, null, CANDIDATES);
  const rows = await queryPrepared<{ id: string }>(
    db,
    `with ${found.ctes} found as materialized (${found.sql})
     select id from ads join found using (id)
     where user_id <> all (array(select id from users where ads_pending))
     order by (
       select coalesce(sum(weight), 0)
       from unnest(:stems::text[], :weights::float8[]) word (stem, weight)
       where stem = any(tsvector_to_array(coalesce((select terms from ad_terms where ad_id = ads.id), tsv)))
     ) - 0.3 * ${PRICE_GAP} desc, id desc
     limit ${SIMILAR_ADS}`,
    {
      ...found.bindings,
      price,
      stems: words.map(({ lexemes }) => lexemes[0]!),
      weights: words.map(({ ads }) => String(1 / (1 + Math.log10(1 + ads)))),
    },
  );
  return rows.map((row) => row.id);
};

const PRICE_RANGE = 2;

/**
 * Ids of listed, unsold ads of other sellers in the same category: first those with words of the title, then those with
 * a similar price, then the newest.
 */
export const listSimilarIds = async (ctx: AppContext, model: Model, { viewerId }: Viewer): Promise<string[]> => {
  const base: ListFilter = {
    categoryId: model.category_id,
    isUnsold: true,
    notUserIds: [model.user_id, viewerId ?? '0'],
    viewerId: viewerId ?? '0',
  };
  const words = await listTitleWords(ctx, model.title);
  const rarest = words.slice(0, SEARCHED_WORDS);
  const price = Number(model.price);
  const filters: ListFilter[] = [
    ...(words.length > 0
      ? [
          {
            ...base,
            query: rarest.flatMap(({ lexemes }) => lexemes.map(quoteLexeme)).join(' | '),
            queryAds: rarest.reduce((sum, { ads }) => sum + ads, 0),
          },
        ]
      : []),
    { ...base, minPrice: (price / PRICE_RANGE).toFixed(2), maxPrice: (price * PRICE_RANGE).toFixed(2) },
    base,
  ];
  const ids = new Set<string>();
  for (const filter of filters)
    if (ids.size < SIMILAR_ADS) for (const id of await listBest(ctx.reads, model, filter, words)) ids.add(id);
  return [...ids].slice(0, SIMILAR_ADS);
};

/** Ids of the seller's other listed, unsold ads, newest first. */
export const listOtherIdsOfSeller = async (
  db: Db,
  { id, user_id }: Pick<AdRow, 'id' | 'user_id'>,
  { viewerId }: Viewer,
): Promise<string[]> => {
  const rows = await queryPrepared<{ id: string }>(
    db,
    `select id from ads
     where user_id = :sellerId and state <> 'deleted' and listed and not is_sold and id <> :id
       and user_id <> :viewer::bigint
       and user_id <> all (array(select id from users where ads_pending))
       and user_id <> all (array(select blocked_id from blocks where blocker_id = :viewer::bigint))
     order by id desc limit ${MORE_FROM_SELLER}`,
    { sellerId: user_id, id, viewer: viewerId ?? '0' },
  );
  return rows.map((row) => row.id);
};
