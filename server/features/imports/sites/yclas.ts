import { EMPTY, withKind } from '../formats/format.ts';
import { readPrice } from '../reading/amounts.ts';
import type { ImportedAd } from '../reading/imported-ad.ts';
import { toMediaUrl } from '../reading/media-url.ts';
import { fromBBCode, toPlainText } from '../reading/plain-text.ts';
import type { Values } from './dump.ts';
import {
  type Dump,
  findOwners,
  type LeftOut,
  MAX_CATEGORIES,
  type ReadAd,
  type Reading,
  type Site,
  type SiteAd,
  type SiteRow,
  toSought,
  toWords,
} from './site.ts';

const PUBLISHED = '1';
const ACTIVE = '1';
const STATUSES: ReadonlyMap<string, LeftOut> = new Map([
  ['20', 'unconfirmed'],
  ['30', 'spam'],
  ['40', 'sold'],
  ['50', 'expired'],
]);

/** The categories and places of a new site are all below one whose name says nothing. */
const ROOT = '1';
const MAX_DEPTH = 5;
const MAX_PICTURES = 100;

const toParent = (id: string | null | undefined): string | null => (!id || id === '0' || id === ROOT ? null : id);

/** A place with those that it lies in, without the one that is everywhere. */
const toLocation = (id: string, places: ReadonlyMap<string, Values>): string => {
  const names: string[] = [];
  for (let at = toParent(id); at !== null && names.length < MAX_DEPTH; ) {
    const place = places.get(at);
    if (place?.name) names.push(place.name);
    at = toParent(place?.id_location_parent);
  }
  return names.join(', ');
};

/** "80.50000000" is "80.5". */
const shorten = (price: string): string => {
  if (!price.includes('.')) return price;
  let end = price.length;
  while (price[end - 1] === '0') end -= 1;
  return price.slice(0, price[end - 1] === '.' ? end - 1 : end);
};

/** The pictures of an ad lie in a folder of its day and number: that of its day, by the clock of the site. */
const listFiles = (id: string, { created, seotitle, has_images }: Values): string[] => {
  const [, day] = /^(\d{4}-\d\d-\d\d)/.exec(created ?? '') ?? [];
  const count = Math.min(Number(has_images ?? 0), MAX_PICTURES);
  if (day === undefined || !(count > 0)) return [];
  const folder = `images/${day.replaceAll('-', '/')}/${id}`;
  return Array.from({ length: count }, (_, at) => toMediaUrl(`${folder}/${seotitle ?? ''}_${at + 1}.jpg`));
};

const toAd = ({ id, line, values }: SiteAd, location: string, words: readonly string[]): ImportedAd => ({
  ...EMPTY,
  ...withKind(readPrice(shorten(values.price ?? '')), [], 'price'),
  line,
  externalId: id,
  title: toPlainText(values.title ?? ''),
  description: toPlainText(fromBBCode(values.description ?? '')),
  categories: words,
  location,
  imageUrls: listFiles(id, values),
  isHidden: values.stock === '0',
});

const findPlaces = async (dump: Dump, ids: readonly string[]): Promise<Map<string, Values>> => {
  const places = new Map<string, Values>();
  let next = ids;
  for (let depth = 0; depth < MAX_DEPTH && next.length > 0; depth += 1) {
    const found: ReadonlyMap<string, readonly SiteRow[]> = await dump.find('locations', next);
    for (const [id, [place]] of found) if (place) places.set(id, place.values);
    const parents = [...found.values()].flatMap(([place]) => toParent(place?.values.id_location_parent) ?? []);
    next = [...new Set(parents)].filter((id) => !places.has(id));
  }
  return places;
};

const readAds = async (dump: Dump, ads: readonly SiteAd[], { categories }: Reading): Promise<ReadAd[]> => {
  const places = await findPlaces(dump, [...new Set(ads.flatMap(({ values }) => toParent(values.id_location) ?? []))]);
  return ads.map((ad) => {
    const { id_location, id_category, latitude, longitude } = ad.values;
    const city = places.get(id_location ?? '');
    return {
      ad: toAd(ad, toLocation(id_location ?? '', places), categories.get(id_category ?? '') ?? []),
      place: toSought(city?.name, latitude, longitude) ?? toSought(city?.name, city?.latitude, city?.longitude),
    };
  });
};

/** A whole Yclas, formerly Open Classifieds 2. Its prices are in the one currency of the site, which the tables do not name. */
export const yclas: Site = {
  name: 'yclas',
  source: 'yclas-site',
  label: 'Yclas',
  tables: {
    ads: {
      key: 'id_ad',
      columns: [
        'id_user',
        'id_category',
        'id_location',
        'title',
        'seotitle',
        'description',
        'price',
        'created',
        'status',
        'has_images',
        'latitude',
        'longitude',
        'stock',
      ],
    },
    categories: { key: 'id_category', columns: ['name', 'seoname', 'id_category_parent'] },
    locations: { key: 'id_location', columns: ['name', 'id_location_parent', 'latitude', 'longitude'] },
    users: { key: 'id_user', columns: ['name', 'email', 'status'] },
  },
  ads: 'ads',
  category: 'id_category',
  leaveOut: ({ status }) => (status === PUBLISHED ? undefined : (STATUSES.get(status ?? '') ?? 'unpublished')),
  toOwner: ({ id_user }) => `#${id_user}`,
  findPeople: (dump, owners) =>
    findOwners(
      owners,
      (ids) => dump.find('users', ids),
      ({ name, email, status }) => ({
        name: name ?? '',
        email: email ?? '',
        isBlocked: Boolean(status) && status !== ACTIVE,
      }),
    ),
  listLanguages: async () => [],
  readCategories: async (dump) => {
    const rows = await dump.list('categories', MAX_CATEGORIES);
    const toNamed = ({ key, values: { name, seoname, id_category_parent } }: (typeof rows)[number]) => {
      const names = [name, seoname].flatMap((word) => word ?? []);
      return [key, { names, parent: toParent(id_category_parent) }] as const;
    };
    return toWords(new Map(rows.map(toNamed)));
  },
  readAds,
};
