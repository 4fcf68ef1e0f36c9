import type { Db } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { PlaceRow } from '../../db/rows.ts';

type NamedPlace = Pick<PlaceRow, 'id' | 'name' | 'region' | 'country'>;

export const findPlace = async (db: Db, id: string): Promise<NamedPlace | undefined> =>
  (await queryPrepared<NamedPlace>(db, 'select id, name, region, country from places where id = :id', { id }))[0];

/** Sorts after every continuation of a prefix. */
const LAST_CHARACTER = '\u{10FFFF}';

/** The largest places that begin with the text, by the rules of `fold_place`. Text without letters finds none. */
export const listPlaces = async (db: Db, text: string, limit: number): Promise<NamedPlace[]> => {
  const [row] = await queryPrepared<{ prefix: string }>(db, 'select fold_place(:text) as prefix', { text });
  const prefix = row?.prefix ?? '';
  const letters = [...prefix].length;
  if (letters === 0) return [];
  const begins =
    letters <= 3 ? `left(folded, ${letters}) = :prefix` : 'folded >= :prefix and folded < :prefix || :last';
  return queryPrepared(
    db,
    `select id, name, region, country from places where ${begins} order by population desc, id limit :limit`,
    { prefix, last: LAST_CHARACTER, limit },
  );
};

/**
 * The nearest place by great-circle distance. Nearest in degrees is only nearby, since a degree of longitude is shorter
 * far from the equator: its distance bounds the search, which also looks across the 180th meridian.
 */
export const findNearestPlace = async (
  db: Db,
  { lat, lng }: { lat: number; lng: number },
): Promise<NamedPlace | undefined> => {
  const [place] = await queryPrepared<NamedPlace>(
    db,
    `with here as materialized (select :lat::float8 as lat, :lng::float8 as lng),
     nearby as materialized (
       select h.lat, h.lng, 0.001 + distance_km(h.lat, h.lng, p.lat, p.lng) as km
       from here h, lateral (select lat, lng from places order by point(lng, lat) <-> point(h.lng, h.lat) limit 1) p
     ),
     reach as materialized (
       select lat, lng, km / 111.1 as north,
         least(180, km / (111.1 * greatest(cosd(least(90, abs(lat) + km / 111.1)), 0.0001))) as east
       from nearby
     ),
     boxes as materialized (
       select box(point(lng + turn - east, lat - north), point(lng + turn + east, lat + north)) as area
       from reach, unnest(array[0, 360, -360]) turn
     )
     select p.id, p.name, p.region, p.country
     from here h, boxes b, lateral (select * from places where point(lng, lat) <@ b.area) p
     order by distance_km(h.lat, h.lng, p.lat, p.lng), p.id limit 1`,
    { lat, lng },
  );
  return place;
};
