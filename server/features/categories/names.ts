import { ENGLISH_TEXTS, speaking, type TextKey, t } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Db } from '../../db/pools.ts';
import type { CategoryRow } from '../../db/rows.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { listNames } from './names-repository.ts';

/** The categories of the seeds, whose names are in all languages. */
export const BUILT_IN: Readonly<Record<string, TextKey>> = {
  electronics: 'category.electronics',
  vehicles: 'category.vehicles',
  'real-estate': 'category.realEstate',
  furniture: 'category.furniture',
  clothing: 'category.clothing',
  books: 'category.books',
  sports: 'category.sports',
  'home-garden': 'category.homeGarden',
  toys: 'category.toys',
  'health-beauty': 'category.healthBeauty',
  computers: 'category.computers',
  'musical-instruments': 'category.musicalInstruments',
  tools: 'category.tools',
  photography: 'category.photography',
  jewelry: 'category.jewelry',
  collectibles: 'category.collectibles',
  art: 'category.art',
  'baby-kids': 'category.babyKids',
  pets: 'category.pets',
  appliances: 'category.appliances',
  office: 'category.office',
  industrial: 'category.industrial',
  services: 'category.services',
  tickets: 'category.tickets',
  other: 'category.other',
};

type Named = Pick<CategoryRow, 'id' | 'slug' | 'name'>;

/** The built-in name in a language, of a category that still has its English one. */
const translate = ({ slug, name }: Named, language: Language): string => {
  const key = Object.hasOwn(BUILT_IN, slug) ? BUILT_IN[slug] : undefined;
  if (key === undefined || speaking(ENGLISH_TEXTS, () => t(key)) !== name) return name;
  return speaking(readTexts(language), () => t(key));
};

/**
 * These categories with the names that readers of a language see: as an administrator wrote, else built in, else the first
 * one. Without a language the first ones.
 */
export const nameIn = async <Row extends Named>(
  db: Db,
  rows: readonly Row[],
  language: Language | undefined,
): Promise<Row[]> => {
  if (language === undefined) return [...rows];
  const own = await listNames(db, { language });
  const find = ({ id }: Row) => own.find(({ category_id }) => category_id === id)?.name;
  return rows.map((row) => ({ ...row, name: find(row) ?? translate(row, language) }));
};

/** All names of these categories in these languages, by id. */
export const listNamesIn = async (
  db: Db,
  rows: readonly Named[],
  languages: readonly Language[],
): Promise<Map<number, string[]>> => {
  const own = await listNames(db, {});
  return new Map(
    rows.map((row) => {
      const find = (language: Language) =>
        own.find((name) => name.category_id === row.id && name.language === language)?.name;
      const names = languages.map((language) => find(language) ?? translate(row, language));
      return [row.id, [...new Set([row.name, ...names])]];
    }),
  );
};
