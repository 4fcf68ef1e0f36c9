import type { Details } from './ads.ts';
import { getLocale, labels, type Phrase, type TextKey, t } from './i18n.ts';
import { LIMITS } from './limits.ts';
import { cleanText, isVisible, maxUncleaned } from './text.ts';

const UNITS = labels({
  km: 'detail.unitKilometers',
  miles: 'detail.unitMiles',
  GB: 'detail.unitGigabytes',
  cm: 'detail.unitCentimeters',
  'm²': 'detail.unitSquareMeters',
  years: 'detail.unitYears',
});

/**
 * The details of ads, by category: the one definition for form, validation, filters, ad page, JSON-LD and search. A new
 * detail is one line here, and its words in the catalog `detail`. At most LIMITS.details (8) a category.
 */
export interface Attribute {
  /** Letters only. In the address `d.{key}`. A key has the same type in every category. */
  key: string;
  label: TextKey;
  type: 'text' | 'number' | 'choice';
  /** Of a number. `distance`: the unit of the setting `distanceUnit`. */
  unit?: 'distance' | keyof typeof UNITS;
  /** Of a number: limits (inclusive) and digits after the point. */
  min?: number;
  max?: number;
  decimals?: number;
  /** Written without separators: a year. */
  isPlain?: true;
  /** Of a choice: labels by value. */
  options?: Readonly<Record<string, string>>;
  isFilterable: boolean;
  /** The property of schema.org's Product. */
  jsonLd?: 'brand' | 'model' | 'size' | 'color' | 'material';
}

const text = (key: string, label: TextKey, jsonLd?: Attribute['jsonLd']): Attribute => ({
  key,
  label,
  type: 'text',
  isFilterable: true,
  ...(jsonLd && { jsonLd }),
});

const number = (
  key: string,
  label: TextKey,
  limits: Pick<Attribute, 'unit' | 'min' | 'max' | 'decimals' | 'isPlain'>,
): Attribute => ({ key, label, type: 'number', isFilterable: true, ...limits });

const choice = (key: string, label: TextKey, options: Record<string, TextKey>): Attribute => ({
  key,
  label,
  type: 'choice',
  isFilterable: true,
  options: labels(options),
});

const BRAND = text('brand', 'detail.brand', 'brand');
const MODEL = text('model', 'detail.model', 'model');
const SIZE = text('size', 'detail.size', 'size');
const COLOR = text('color', 'detail.color', 'color');
const MATERIAL = text('material', 'detail.material', 'material');
const YEAR = number('year', 'detail.year', { min: 1800, max: 2100, isPlain: true });
const STORAGE = number('storage', 'detail.storage', { min: 1, max: 1_000_000, unit: 'GB' });

const FUELS: Record<string, TextKey> = {
  petrol: 'detail.fuelPetrol',
  diesel: 'detail.fuelDiesel',
  hybrid: 'detail.fuelHybrid',
  electric: 'detail.fuelElectric',
  other: 'detail.fuelOther',
};
const KINDS_OF_PROPERTY: Record<string, TextKey> = {
  apartment: 'detail.kindApartment',
  house: 'detail.kindHouse',
  room: 'detail.kindRoom',
  land: 'detail.kindLand',
  garage: 'detail.kindGarage',
  commercial: 'detail.kindCommercial',
};

/** By slug of the category. Categories without an entry have no details. */
export const ATTRIBUTES: Readonly<Record<string, readonly Attribute[]>> = {
  electronics: [BRAND, MODEL, STORAGE, COLOR],
  vehicles: [
    text('make', 'detail.make', 'brand'),
    MODEL,
    YEAR,
    number('mileage', 'detail.mileage', { min: 0, max: 9_999_999, unit: 'distance' }),
    choice('fuel', 'detail.fuel', FUELS),
    choice('gearbox', 'detail.gearbox', { manual: 'detail.gearboxManual', automatic: 'detail.gearboxAutomatic' }),
    COLOR,
  ],
  'real-estate': [
    choice('kind', 'detail.kind', KINDS_OF_PROPERTY),
    number('rooms', 'detail.rooms', { min: 0.5, max: 99, decimals: 1 }),
    number('area', 'detail.area', { min: 1, max: 9_999_999, unit: 'm²', decimals: 1 }),
  ],
  furniture: [BRAND, MATERIAL, COLOR, number('width', 'detail.width', { min: 1, max: 9999, unit: 'cm' })],
  clothing: [SIZE, BRAND, COLOR, MATERIAL],
  books: [text('author', 'detail.author'), text('language', 'detail.language'), YEAR],
  sports: [BRAND, MODEL, SIZE, COLOR],
  'home-garden': [BRAND, MATERIAL, COLOR],
  toys: [BRAND, number('age', 'detail.age', { min: 0, max: 99, unit: 'years' })],
  'health-beauty': [BRAND],
  computers: [BRAND, MODEL, STORAGE, number('memory', 'detail.memory', { min: 1, max: 65_536, unit: 'GB' })],
  'musical-instruments': [BRAND, MODEL, YEAR],
  tools: [BRAND, MODEL],
  photography: [BRAND, MODEL, text('mount', 'detail.mount')],
  jewelry: [BRAND, MATERIAL, SIZE],
  collectibles: [YEAR, MATERIAL],
  art: [text('artist', 'detail.artist'), MATERIAL, YEAR],
  'baby-kids': [BRAND, SIZE, COLOR],
  pets: [BRAND, SIZE],
  appliances: [BRAND, MODEL, COLOR],
  office: [BRAND, COLOR, MATERIAL],
  industrial: [BRAND, MODEL, YEAR],
};

export const getAttributes = (categorySlug: string): readonly Attribute[] =>
  (Object.hasOwn(ATTRIBUTES, categorySlug) && ATTRIBUTES[categorySlug]) || [];

const findAttribute = (categorySlug: string, key: string): Attribute | undefined =>
  getAttributes(categorySlug).find((attribute) => attribute.key === key);

const NUMBER = /^-?\d{1,12}(\.\d{1,6})?$/;

const GROUPS = /^-?\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+|(?:['’]\d{3})+)(?:\.\d+)?$/;

/**
 * A number as people write it, in JavaScript's form: "120,000" and "120 000" are 120000, "12,5" is 12.5. "120.000" stays no
 * number: it may have three decimals.
 */
const toNumeral = (typed: string): string => {
  if (GROUPS.test(typed)) return typed.replace(/[, '’]/g, '');
  if (/^-?\d{1,3}(?:\.\d{3})+$/.test(typed)) return '';
  return /^-?\d+,\d{1,2}$/.test(typed) ? typed.replace(',', '.') : typed;
};

const TOO_LONG: Phrase = { key: 'fields.tooLong', values: { max: String(LIMITS.detail) } };

/** A value of this attribute, or the text that says what is wrong with it. */
const parseValue = (attribute: Attribute, given: string | number): { value: string | number } | { problem: Phrase } => {
  const { type, min = 0, max = Number.MAX_SAFE_INTEGER, decimals = 0, options = {} } = attribute;
  const raw = String(given);
  if (raw.length > maxUncleaned(LIMITS.detail)) return { problem: TOO_LONG };
  const typed = cleanText(raw);
  if (type === 'number') {
    const numeral = typeof given === 'number' ? typed : toNumeral(typed);
    const value = NUMBER.test(numeral) ? Number(numeral) : Number.NaN;
    const isRounded = (numeral.split('.')[1] ?? '').replace(/(?<!0)0+$/, '').length <= decimals;
    if (value >= min && value <= max && isRounded) return { value };
    return {
      problem: {
        key: decimals ? 'fields.numberFrom' : 'fields.wholeFrom',
        values: { min: String(min), max: String(max) },
      },
    };
  }
  if (type === 'choice') {
    if (Object.hasOwn(options, typed)) return { value: typed };
    return { problem: { key: 'fields.oneOf', values: { values: Object.keys(options).join(', ') } } };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (/[\u0000-\u001F\u007F-\u009F]/.test(typed)) return { problem: { key: 'fields.characters' } };
  if ([...typed].length > LIMITS.detail) return { problem: TOO_LONG };
  return { value: typed };
};

type Given = Readonly<Record<string, string | number | null | undefined>>;

const isGiven = (value: Given[string]): value is string | number =>
  value !== null && value !== undefined && isVisible(String(value));

/**
 * The details of an ad, in the order of the definition, or sentences by field (`details.{key}`). Empty values are
 * dropped, and so are keys in `dropped` that the category does not have.
 */
export const checkDetails = (
  categorySlug: string,
  given: Given,
  dropped: readonly string[] = [],
): { details: Details; problems: Record<string, Phrase> } => {
  const details: Details = {};
  const problems: Record<string, Phrase> = {};
  for (const attribute of getAttributes(categorySlug)) {
    const value = Object.hasOwn(given, attribute.key) ? given[attribute.key] : undefined;
    if (!isGiven(value)) continue;
    const parsed = parseValue(attribute, value);
    if ('problem' in parsed) problems[`details.${attribute.key}`] = parsed.problem;
    else details[attribute.key] = parsed.value;
  }
  for (const key of Object.keys(given))
    if (!findAttribute(categorySlug, key) && !dropped.includes(key))
      problems[`details.${key}`] = { key: 'fields.noDetail' };
  return { details, problems };
};

/** A filter by one detail: equal to `value`, or within `min` and `max` (inclusive). */
export interface DetailFilter {
  key: string;
  value?: string | number;
  min?: number;
  max?: number;
  /** Whether its numbers have no decimals. */
  isWhole?: boolean;
}

/** The limits of a number, and of a filter by one bound only. */
const toRange = ({ min = 0, max = Number.MAX_SAFE_INTEGER, decimals = 0 }: Attribute) => ({
  min,
  max,
  isWhole: decimals === 0,
});

/**
 * Filters by details from parameters without their `d.`: `size`, `year.min`, `year.max`; or sentences by parameter
 * (`d.{key}`). Without a category every parameter is refused.
 */
export const readDetailFilters = (
  categorySlug: string | undefined,
  given: Readonly<Record<string, string>>,
): { filters: DetailFilter[]; problems: Record<string, Phrase> } => {
  const filters = new Map<string, DetailFilter>();
  const problems: Record<string, Phrase> = {};
  for (const [name, typed] of Object.entries(given)) {
    if (typed.trim() === '') continue;
    const [key = '', bound, ...rest] = name.split('.');
    const attribute = categorySlug === undefined ? undefined : findAttribute(categorySlug, key);
    const isBound = bound === 'min' || bound === 'max';
    if (
      !attribute?.isFilterable ||
      rest.length > 0 ||
      (bound !== undefined && !(isBound && attribute.type === 'number'))
    )
      problems[`d.${name}`] = { key: categorySlug === undefined ? 'fields.categoryFirst' : 'fields.noFilter' };
    else {
      const parsed = parseValue(
        bound ? { ...attribute, min: 0, max: Number.MAX_SAFE_INTEGER, decimals: 6 } : attribute,
        typed,
      );
      if ('problem' in parsed) problems[`d.${name}`] = isBound ? { key: 'fields.number' } : parsed.problem;
      else
        filters.set(key, {
          key,
          ...(isBound ? toRange(attribute) : {}),
          ...filters.get(key),
          [isBound ? bound : 'value']: parsed.value,
        });
    }
  }
  for (const { key, min, max } of filters.values())
    if (min !== undefined && max !== undefined && min > max && given[`${key}.min`])
      problems[`d.${key}.min`] = { key: 'fields.lowestAbove' };
  return { filters: [...filters.values()], problems };
};

export type DistanceUnit = 'km' | 'miles';

const toUnit = ({ unit }: Attribute, distanceUnit: DistanceUnit) => (unit === 'distance' ? distanceUnit : unit);

/** What it is called where its number is typed: "Mileage (km)". `distanceUnit` is the setting of that name. */
export const labelField = (attribute: Attribute, distanceUnit: DistanceUnit): string => {
  const label = t(attribute.label);
  const unit = toUnit(attribute, distanceUnit);
  return unit ? t('detail.withUnit', { label, unit: UNITS[unit] }) : label;
};

/** A value as people read it: "Petrol", "12,000 km", "2015". */
export const formatDetail = (attribute: Attribute, value: string | number, distanceUnit: DistanceUnit): string => {
  if (attribute.type === 'choice') return attribute.options?.[value] ?? String(value);
  if (attribute.type === 'text') return String(value);
  const unit = toUnit(attribute, distanceUnit);
  if (unit === 'years') return t('detail.years', { count: Number(value) });
  const written = attribute.isPlain ? String(value) : Number(value).toLocaleString(getLocale());
  return unit ? t('detail.measure', { value: written, unit: UNITS[unit] }) : written;
};

/** A detail with its value: "Fuel: Diesel". */
export const stateDetail = (attribute: Attribute, value: string): string =>
  t('detail.stated', { label: t(attribute.label), value });

/**
 * The logarithmic steps of the numbers within a range; `factor`: steps to each power of e. PostgreSQL computes them too
 * (ad_facets, ad_priced_words), up to the last digits.
 */
export const listSteps = (min: number, max: number, factor = 8): number[] => {
  const toStep = (value: number) => Math.log(Math.max(0, value) + 1) * factor;
  return range(Math.floor(toStep(min) - 1e-9), Math.floor(toStep(max) + 1e-9));
};

const MOST_VALUES = 300;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/**
 * What the index of facets has of the numbers within a range: `=2015`, each value of a range of few whole numbers, else
 * `~60`, steps of about an eighth of the number. The steps may have numbers next to the range.
 */
export const listNumberTokens = ({ min = 0, max = Number.MAX_SAFE_INTEGER, isWhole }: DetailFilter): string[] => {
  const [first, last] = [Math.ceil(min), Math.floor(max)];
  if (isWhole && last - first < MOST_VALUES) return range(first, Math.max(first, last)).map((value) => `=${value}`);
  return listSteps(min, max).map((step) => `~${step}`);
};
