import type { SoughtPlace } from '../../places/repository.ts';
import type { ImportedAd } from '../reading/imported-ad.ts';
import type { Values } from './dump.ts';

/** What is kept of a table: the column that says what a row is about, and others. */
export interface SiteTable {
  key: string;
  columns: readonly string[];
}

export interface SiteRow {
  line: number;
  values: Values;
}

export interface SiteAd extends SiteRow {
  id: string;
  /** Whose it is there. */
  owner: string;
}

/** The rows of a dump, by tables without their prefix. */
export interface Dump {
  /** Rows by what they are about, a bounded number of each. */
  find: (table: string, keys: readonly string[]) => Promise<ReadonlyMap<string, readonly SiteRow[]>>;
  /** The first rows of a small table. */
  list: (table: string, limit: number) => Promise<readonly (SiteRow & { key: string })[]>;
  /** How many rows have each value of a column, the most frequent first. */
  count: (table: string, column: string) => Promise<readonly { value: string; count: number }[]>;
}

/** An ad, and the city that its position is in. */
export interface ReadAd {
  ad: ImportedAd;
  place: SoughtPlace | undefined;
}

/** A name and a position, if the site has both. */
export const toSought = (
  name: string | null | undefined,
  lat: string | null | undefined,
  lng: string | null | undefined,
): SoughtPlace | undefined => {
  const place = { name: name ?? '', lat: Number(lat ?? Number.NaN), lng: Number(lng ?? Number.NaN) };
  const isOnEarth = Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180;
  // nobody sells where 0 meets 0: it is what forms store that were left empty
  const isSomewhere = place.lat !== 0 || place.lng !== 0;
  return place.name !== '' && isOnEarth && isSomewhere ? place : undefined;
};

export interface Person {
  name: string;
  email: string;
  /** Staff of the other site shut them out. */
  isBlocked: boolean;
}

export interface Reading {
  /** Words for each category, by its id: its path, then its names, from the narrowest. */
  categories: ReadonlyMap<string, readonly string[]>;
  /** '' if the site has one text for each ad. */
  language: string;
}

/** Why an ad of a site does not come along. */
export type LeftOut = 'blocked' | 'expired' | 'sold' | 'spam' | 'unconfirmed' | 'unpublished';

/** How a program keeps a site in its database. Everything but `dump` is given, and nothing is stored. */
export interface Site {
  name: string;
  /** Ads are known by it, and by their id there: it never changes. */
  source: string;
  label: string;
  tables: Readonly<Record<string, SiteTable>>;
  /** The table of ads, and its column that names a category. */
  ads: string;
  category: string;
  /** Of an ad: undefined if it is public there. `now` as the database writes times. */
  leaveOut: (ad: Values, now: string) => LeftOut | undefined;
  /** "#12" for the person with this number, else the mail address that stands in the ad. */
  toOwner: (ad: Values) => string;
  findPeople: (dump: Dump, owners: readonly string[]) => Promise<ReadonlyMap<string, Person>>;
  /** The languages of its ads: the one of the site first. */
  listLanguages: (dump: Dump) => Promise<readonly string[]>;
  readCategories: (dump: Dump, language: string) => Promise<ReadonlyMap<string, readonly string[]>>;
  readAds: (dump: Dump, ads: readonly SiteAd[], reading: Reading) => Promise<readonly ReadAd[]>;
}

export const MAX_CATEGORIES = 10_000;
const MAX_DEPTH = 10;

interface Named {
  /** The first is for people. */
  names: readonly string[];
  parent: string | null;
}

/** The words of categories that have a parent each: "For sale > Furniture", "Furniture", "For sale". */
export const toWords = (all: ReadonlyMap<string, Named>): ReadonlyMap<string, readonly string[]> => {
  const climb = (id: string): Named[] => {
    const line: Named[] = [];
    for (let at = all.get(id); at && line.length < MAX_DEPTH; at = at.parent === null ? undefined : all.get(at.parent))
      line.push(at);
    return line;
  };
  const toAll = (line: readonly Named[]): string[] => {
    const path = line.map(({ names }) => names[0] ?? '').reverse();
    return [...new Set([path.join(' > '), ...line.flatMap(({ names }) => names)])].filter(Boolean);
  };
  return new Map([...all.keys()].map((id) => [id, toAll(climb(id))]));
};

/** The number of a person that `owner` names. */
export const parseOwner = (owner: string): string | undefined => (owner.startsWith('#') ? owner.slice(1) : undefined);

/** People by their numbers, and those that only a mail address is known of. */
export const findOwners = async (
  owners: readonly string[],
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly SiteRow[]>>,
  toPerson: (values: Values) => Person,
): Promise<ReadonlyMap<string, Person>> => {
  const rows = await find(owners.flatMap((owner) => parseOwner(owner) ?? []));
  return new Map(
    owners.map((owner) => {
      const id = parseOwner(owner);
      const row = id === undefined ? undefined : rows.get(id)?.[0];
      if (row) return [owner, toPerson(row.values)];
      return [owner, { name: '', email: id === undefined ? owner : '', isBlocked: false }];
    }),
  );
};
