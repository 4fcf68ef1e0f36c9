import { EMPTY, withKind } from '../formats/format.ts';
import { type ReadPrice, readSmallUnits } from '../reading/amounts.ts';
import type { ImportedAd } from '../reading/imported-ad.ts';
import { toMediaUrl } from '../reading/media-url.ts';
import { toPlainText } from '../reading/plain-text.ts';
import type { Values } from './dump.ts';
import {
  type Dump,
  findOwners,
  MAX_CATEGORIES,
  type ReadAd,
  type Reading,
  type Site,
  type SiteAd,
  type SiteRow,
  toSought,
  toWords,
} from './site.ts';

/** There, an ad may say "ask the seller" instead. */
const NO_PRICE: ReadPrice = {
  price: '',
  currency: null,
  problem: { what: { key: 'mistakes.priceMissing' }, how: { key: 'mistakes.givePriceThere' } },
};

const isOff = (value: string | null | undefined): boolean => value === '0';

/** The text in the language that was chosen, else in another: an ad is one ad, in however many it is written. */
const pick = (rows: readonly SiteRow[], language: string): Values | undefined =>
  (rows.find(({ values }) => values.fk_c_locale_code === language) ?? rows[0])?.values;

/** "city_area" is left out: people keep telephone numbers in it. */
const toLocation = ({ s_city, s_region }: Values): string =>
  [...new Set([s_city, s_region])].filter(Boolean).join(', ');

const isPicture = ({ values: { s_content_type, s_extension } }: SiteRow): boolean =>
  s_content_type?.startsWith('image/') || /^(?:jpe?g|png|webp|gif)$/i.test(s_extension ?? '');

const byNumber = (a: SiteRow, b: SiteRow): number => Number(a.values.pk_i_id) - Number(b.values.pk_i_id);

const toFile = ({ values }: SiteRow): string =>
  toMediaUrl(`${values.s_path ?? ''}${values.pk_i_id}.${values.s_extension}`);

interface Parts {
  text: Values | undefined;
  location: Values | undefined;
  resources: readonly SiteRow[];
}

const toAd = (
  { id, line, values }: SiteAd,
  { text, location, resources }: Parts,
  words: readonly string[],
): ImportedAd => {
  const price = values.i_price ? readSmallUnits(values.i_price, 'millionths') : NO_PRICE;
  return {
    ...EMPTY,
    ...withKind(price, [], 'price'),
    currency: values.fk_c_currency_code ?? null,
    line,
    externalId: id,
    title: toPlainText(text?.s_title ?? ''),
    description: toPlainText(text?.s_description ?? ''),
    categories: words,
    location: location ? toLocation(location) : '',
    imageUrls: [...resources].filter(isPicture).sort(byNumber).map(toFile),
  };
};

const readCategories: Site['readCategories'] = async (dump, language) => {
  const categories = await dump.list('t_category', MAX_CATEGORIES);
  const described = await dump.find(
    't_category_description',
    categories.map(({ key }) => key),
  );
  const toNamed = ({ key, values }: (typeof categories)[number]) => {
    const texts = described.get(key) ?? [];
    const text = pick(texts, language);
    const inOthers = texts.map((other) => other.values.s_name);
    const names = [text?.s_name, text?.s_slug, ...inOthers].flatMap((name) => name ?? []).map(toPlainText);
    return [key, { names, parent: values.fk_i_parent_id ?? null }] as const;
  };
  return toWords(new Map(categories.map(toNamed)));
};

const readAds = async (dump: Dump, ads: readonly SiteAd[], { categories, language }: Reading): Promise<ReadAd[]> => {
  const ids = ads.map(({ id }) => id);
  const texts = await dump.find('t_item_description', ids);
  const locations = await dump.find('t_item_location', ids);
  const resources = await dump.find('t_item_resource', ids);
  return ads.map((ad) => {
    const parts = {
      text: pick(texts.get(ad.id) ?? [], language),
      location: locations.get(ad.id)?.[0]?.values,
      resources: resources.get(ad.id) ?? [],
    };
    const { s_city, d_coord_lat, d_coord_long } = parts.location ?? {};
    return {
      ad: toAd(ad, parts, categories.get(ad.values.fk_i_category_id ?? '') ?? []),
      place: toSought(s_city, d_coord_lat, d_coord_long),
    };
  });
};

/** A whole Osclass: versions 3 to 8, and Shopclass. It has no export but that of its database. */
export const osclass: Site = {
  name: 'osclass',
  source: 'osclass-site',
  label: 'Osclass',
  tables: {
    t_item: {
      key: 'pk_i_id',
      columns: [
        'fk_i_user_id',
        'fk_i_category_id',
        'i_price',
        'fk_c_currency_code',
        's_contact_email',
        'b_enabled',
        'b_active',
        'b_spam',
        'dt_expiration',
      ],
    },
    t_item_description: { key: 'fk_i_item_id', columns: ['fk_c_locale_code', 's_title', 's_description'] },
    t_item_location: { key: 'fk_i_item_id', columns: ['s_city', 's_region', 'd_coord_lat', 'd_coord_long'] },
    t_item_resource: { key: 'fk_i_item_id', columns: ['pk_i_id', 's_extension', 's_content_type', 's_path'] },
    t_category: { key: 'pk_i_id', columns: ['fk_i_parent_id'] },
    t_category_description: { key: 'fk_i_category_id', columns: ['fk_c_locale_code', 's_name', 's_slug'] },
    t_user: { key: 'pk_i_id', columns: ['s_name', 's_email', 'b_enabled'] },
    t_preference: { key: 's_name', columns: ['s_section', 's_value'] },
  },
  ads: 't_item',
  category: 'fk_i_category_id',
  leaveOut: ({ b_spam, b_enabled, b_active, dt_expiration }, now) => {
    if (b_spam === '1') return 'spam';
    if (isOff(b_enabled)) return 'blocked';
    if (isOff(b_active)) return 'unconfirmed';
    const isDated = dt_expiration && !dt_expiration.startsWith('0000');
    return isDated && dt_expiration < now ? 'expired' : undefined;
  },
  toOwner: ({ fk_i_user_id, s_contact_email }) =>
    fk_i_user_id ? `#${fk_i_user_id}` : (s_contact_email ?? '').trim().toLowerCase(),
  findPeople: (dump, owners) =>
    findOwners(
      owners,
      (ids) => dump.find('t_user', ids),
      ({ s_name, s_email, b_enabled }) => ({ name: s_name ?? '', email: s_email ?? '', isBlocked: isOff(b_enabled) }),
    ),
  listLanguages: async (dump) => {
    const used = (await dump.count('t_item_description', 'fk_c_locale_code')).map(({ value }) => value);
    const preferences = (await dump.find('t_preference', ['language'])).get('language') ?? [];
    const own = preferences.find(({ values }) => values.s_section === 'osclass')?.values.s_value;
    return [...new Set([...used.filter((language) => language === own), ...used])];
  },
  readCategories,
  readAds,
};
