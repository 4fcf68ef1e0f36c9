import type { Db, Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { PlaceRow } from '../../db/rows.ts';
import { foldName } from './fold-name.ts';

/** A place, and what it is called elsewhere, by `foldName`. */
export interface NamedPlaceRow extends PlaceRow {
  names: string[];
}

export type NamedPlace = Pick<PlaceRow, 'id' | 'name' | 'region' | 'country'>;

export const findPlace = async (db: Db, id: string): Promise<NamedPlace | undefined> =>
  (await queryPrepared<NamedPlace>(db, 'select id, name, region, country from places where id = :id', { id }))[0];

type Position = Pick<PlaceRow, 'id' | 'lat' | 'lng'>;

/** Where places are, in degrees. Unknown ones are left out. */
export const listPositions = (db: Db, ids: readonly string[]): Promise<Position[]> =>
  queryPrepared(db, 'select id, lat, lng from places where id = any(:ids::bigint[])', { ids });

export const findPosition = async (db: Db, id: string): Promise<Position | undefined> =>
  (await listPositions(db, [id]))[0];

/** Sorts after every continuation of a prefix. */
const LAST_CHARACTER = '\u{10FFFF}';

export interface PlaceQuery {
  text: string;
  /** Ids of places that come before all others, in this order. */
  first?: readonly string[];
  /** The country whose places come next; empty for none. */
  country?: string;
  limit: number;
}

/** Of the names of one place, at most about so many begin alike. */
const ALIKE = 25;

const IN_RANGE = 'folded >= :prefix and folded < :prefix || :last';
const COLUMNS = 'id, name, region, country, ads, population';

const byOwnName = (letters: number): string => {
  const most = 'order by ads desc, population desc, id limit :limit';
  return `
    select ${COLUMNS}, array_position(:first::bigint[], id) as rank, false as is_other from places
    where id = any(:first::bigint[]) and ${IN_RANGE}
    union all
    (select ${COLUMNS}, 1000, false from places where country = :country and ${IN_RANGE} ${most})
    union all
    (select ${COLUMNS}, 1001, false from places
     where ${letters <= 3 ? `left(folded, ${letters}) = :prefix` : IN_RANGE} ${most})`;
};

/** A whole name counts as much as the place's own. */
const byOtherName = (letters: number): string => {
  const inRange = IN_RANGE.replaceAll(':prefix', ':other');
  const most = 'order by ads desc, population desc, place_id limit :names';
  return `
    select ${COLUMNS}, rank, is_other from (
      select place_id, array_position(:first::bigint[], place_id) as rank, folded <> :other as is_other from place_names
      where place_id = any(:first::bigint[]) and ${inRange}
      union all
      (select place_id, 1000, folded <> :other from place_names where country = :country and ${inRange} ${most})
      union all
      (select place_id, 1001, folded <> :other from place_names
       where ${letters <= 2 ? `left(folded, ${letters}) = :other` : inRange} ${most})
    ) named cross join lateral (select ${COLUMNS} from places where id = named.place_id) place`;
};

/**
 * The places that begin with the text, by the rules of `fold_place`, or whose other names do, by those of `foldName`: the
 * first ones, those of the country, the rest; in each group first those by their own name or by a whole one, then those
 * with most ads, the largest. Text without letters finds none.
 */
export const listPlaces = async (
  db: Db,
  { text, first = [], country = '', limit }: PlaceQuery,
): Promise<NamedPlace[]> => {
  const [row] = await queryPrepared<{ prefix: string }>(db, 'select fold_place(:text) as prefix', { text });
  const prefix = row?.prefix ?? '';
  const other = foldName(text);
  // under the collation "C", fold_place keeps nothing of other scripts
  const found = [
    ...(prefix === '' ? [] : [byOwnName([...prefix].length)]),
    ...(other === '' ? [] : [byOtherName([...other].length)]),
  ];
  if (found.length === 0) return [];
  return queryPrepared(
    db,
    `select id, name, region, country from (${found.join(' union all ')}) found
     group by ${COLUMNS} order by min(rank), bool_and(is_other), ads desc, population desc, id limit :limit`,
    {
      ...(prefix === '' ? {} : { prefix }),
      ...(other === '' ? {} : { other, names: limit * ALIKE }),
      last: LAST_CHARACTER,
      first,
      country,
      limit,
    },
  );
};

/** A city as other programs know it: its name, and about where it is. */
export interface SoughtPlace {
  name: string;
  lat: number;
  lng: number;
}

const NEAR_KM = 50;

/** The place of this name, or with this other name, that is nearest to each position; undefined if there is none near it. */
export const findNamedPlaces = async (db: Db, sought: readonly SoughtPlace[]): Promise<(string | undefined)[]> => {
  const { rows } = await db.raw<{ rows: { nth: string; id: string }[] }>(
    `select s.nth, found.id
     from jsonb_to_recordset(?::jsonb) s (nth int, name text, folded text, lat float8, lng float8)
     cross join lateral (
       select id from (select * from places order by point(lng, lat) <-> point(s.lng, s.lat) limit 50) p
       where (p.folded = fold_place(s.name) or starts_with(p.folded, fold_place(s.name) || ' ')
           or exists (select from place_names n where n.place_id = p.id and n.folded = s.folded))
         and distance_km(s.lat, s.lng, p.lat, p.lng) < ?
       order by distance_km(s.lat, s.lng, p.lat, p.lng), id limit 1) found`,
    [JSON.stringify(sought.map((place, nth) => ({ ...place, nth, folded: foldName(place.name) }))), NEAR_KM],
  );
  const ids = new Map(rows.map(({ nth, id }) => [Number(nth), id]));
  return sought.map((_, nth) => ids.get(nth));
};

/** How many of a person's last ads tell which places they use. */
const RECENT_ADS = 50;

/** The places of this person's last ads, that of the newest first. */
export const listUsedPlaces = (db: Db, userId: string, limit: number): Promise<NamedPlace[]> =>
  queryPrepared(
    db,
    `with recent as materialized (
       select id, place_id from ads where user_id = :userId and state <> 'deleted' order by id desc limit :recent
     )
     select p.id, p.name, p.region, p.country
     from (select place_id, max(id) as ad from recent group by place_id) used join places p on p.id = used.place_id
     order by used.ad desc limit :limit`,
    { userId, recent: RECENT_ADS, limit },
  );

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

export const hasPlaces = async (db: Db): Promise<boolean> => (await db('places').first('id')) !== undefined;

/** Keeps other transactions from changing places until `trx` ends. Ads may refer to them. */
export const lockPlaces = async (trx: Trx): Promise<void> => {
  await trx.raw('set local lock_timeout = 0');
  await trx.raw('lock table places in share row exclusive mode');
};

/** Inserts places and updates those that differ. No other transaction may change places (`lockPlaces`). */
export const putPlaces = async (
  trx: Trx,
  places: readonly PlaceRow[],
): Promise<{ created: number; updated: number }> => {
  const { rows } = await trx.raw<{ rows: { created: number; updated: number }[] }>(
    `with given as materialized (
       select * from json_to_recordset(?) as place(
         id bigint, name text, region text, country text, lat float8, lng float8, population int)
     ), updated as (
       update places p set name = g.name, region = g.region, country = g.country, lat = g.lat, lng = g.lng,
         population = g.population
       from given g where g.id = p.id and (p.name, p.region, p.country, p.lat, p.lng, p.population)
         is distinct from (g.name, g.region, g.country, g.lat, g.lng, g.population)
       returning 1
     ), created as (
       insert into places (id, name, region, country, lat, lng, population)
       select * from given g where not exists (select from places p where p.id = g.id)
       returning 1
     )
     select (select count(*)::int from created) as created, (select count(*)::int from updated) as updated`,
    [JSON.stringify(places)],
  );
  return rows[0]!;
};

/** Makes these places have these other names and no more. The places exist; no other transaction may change them. */
export const putPlaceNames = async (trx: Trx, places: readonly NamedPlaceRow[]): Promise<void> => {
  await trx.raw(
    `with given as materialized (select * from json_to_recordset(?) as name(id bigint, folded text)),
     gone as (
       delete from place_names n where n.place_id = any(?::bigint[])
         and not exists (select from given g where g.id = n.place_id and g.folded = n.folded)
     )
     insert into place_names (place_id, folded, country, ads, population)
     select p.id, g.folded, p.country, p.ads, p.population from given g join places p on p.id = g.id
     where not exists (select from place_names n where n.place_id = g.id and n.folded = g.folded)`,
    [
      JSON.stringify(places.flatMap(({ id, names }) => names.map((folded) => ({ id, folded })))),
      places.map(({ id }) => id),
    ],
  );
};

/** Each place is looked up in the ads, so all at once could take longer than a statement may. */
const DELETED_AT_ONCE = 10_000;

/** Deletes all places but these. Those that ads refer to stay. */
export const deleteOtherPlaces = async (
  trx: Trx,
  ids: readonly string[],
): Promise<{ removed: number; kept: number }> => {
  await trx.raw('create temporary table wanted_places (id bigint primary key) on commit drop');
  await trx.raw('insert into wanted_places select * from unnest(?::bigint[])', [[...ids]]);
  await trx.raw('analyze wanted_places');
  // from here on until the end, no ad begins to refer to a place
  await trx.raw('lock table places in exclusive mode');
  const other = 'not exists (select from wanted_places w where w.id = places.id)';
  // an array, because DELETE does not read an index alone: it would read an ad of each place
  await trx.raw(
    `delete from ad_places where place_id = any(array(
       select place_id from ad_places p where not exists (select from ads where ads.place_id = p.place_id)
     ))`,
  );
  let removed = 0;
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; removed += deleted)
    ({ rowCount: deleted } = await trx.raw<{ rowCount: number }>(
      `delete from places where id in (
         select id from places where ${other} and not exists (select from ads where ads.place_id = places.id)
         limit ${DELETED_AT_ONCE}
       )`,
    ));
  const { rows } = await trx.raw<{ rows: { kept: number }[] }>(
    `select count(*)::int as kept from places where ${other}`,
  );
  await trx.raw('drop table wanted_places');
  return { removed, kept: rows[0]!.kept };
};

/** Moves the listed ads of places whose coordinates changed: searches read copies of them. */
export const moveListedAds = async (trx: Trx): Promise<void> => {
  await trx.raw(
    `with moved as (
       update ad_places a set position = p.position
       from (select id, cube(array[cosd(lat) * cosd(lng), cosd(lat) * sind(lng), sind(lat)]) as position from places) p
       where p.id = a.place_id and p.position <> a.position returning a.place_id
     )
     update listed_ads l set x = t.x, y = t.y, z = t.z, cell = t.cell from ads_to_list t
     where t.id = l.id and t.place_id = l.place_id and l.place_id in (select place_id from moved)`,
  );
};

/** Without statistics the planner would sort all places. Autovacuum gathers them only later. */
export const analyzePlaces = async (trx: Trx): Promise<void> => {
  await trx.raw('analyze places, place_names');
};

/** Counts the public ads of each place anew. Suggestions are in the order of these counts. */
export const countAdsOfPlaces = async (db: Db): Promise<void> => {
  await db.raw(
    `update places p set ads = counted.ads
     from (
       select id, coalesce(listed.ads, 0)::int as ads
       from places left join (select place_id, count(*) as ads from listed_ads group by place_id) listed
         on listed.place_id = places.id
     ) counted
     where counted.id = p.id and counted.ads <> p.ads`,
  );
};
