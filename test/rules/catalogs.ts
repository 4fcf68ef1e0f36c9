import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGLISH } from '../../contract/english.ts';
import type { Catalog } from '../../contract/i18n.ts';
import { toLocale, WRITTEN_LANGUAGES, type WrittenLanguage } from '../../contract/languages.ts';
import { listWrongValues } from './text-values.ts';

// Compares the catalogs of messages/ with the English ones, and those with the code. `make i18n` prints what it finds.

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['contract', 'server', 'cli', 'web/src'];

const CATEGORIES: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** "ads_few" is the plural "few" of "ads". */
const splitKey = (key: string): [name: string, category: string | undefined] => {
  const at = key.lastIndexOf('_');
  const category = key.slice(at + 1);
  return at > 0 && CATEGORIES.includes(category) ? [key.slice(0, at), category] : [key, undefined];
};

const listMarks = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern))].sort();
const listPlaceholders = (text: string): string[] => listMarks(text, /\{\{\w+\}\}/g);
const listTags = (text: string): string[] => listMarks(text, /<\/?\w+>/g);

export interface Findings {
  missing: string[];
  unknown: string[];
  wrong: string[];
  unchanged: string[];
}

/** The plurals of a name that a language needs: none of a text without a plural. */
const listNeeded = (name: string, english: Catalog, language: WrittenLanguage): string[] => {
  if (name in english) return [name];
  const { pluralCategories } = new Intl.PluralRules(toLocale(language)).resolvedOptions();
  return pluralCategories.map((category) => `${name}_${category}`);
};

/** What is wrong with a text, by the English one: its placeholders and tags must be the same. A plural may leave out its number. */
const findFault = (text: string, original: string, isPlural: boolean): string | undefined => {
  const allowed = listPlaceholders(original);
  const found = listPlaceholders(text);
  const lost = allowed.filter((mark) => !found.includes(mark) && !(isPlural && mark === '{{count}}'));
  const invented = found.filter((mark) => !allowed.includes(mark));
  if (lost.length > 0 || invented.length > 0) return `needs ${allowed.join(' ') || 'no placeholder'}`;
  const tags = listTags(original);
  return tags.join() === listTags(text).join() ? undefined : `needs ${tags.join(' ') || 'no tag'}`;
};

/** Compares a catalog with the English one of its area. `label` begins each finding. */
export function compareCatalog(own: Catalog, english: Catalog, language: WrittenLanguage, label: string): Findings {
  const findings: Findings = { missing: [], unknown: [], wrong: [], unchanged: [] };
  const names = new Set(Object.keys(english).map((key) => splitKey(key)[0]));
  for (const name of names)
    for (const key of listNeeded(name, english, language)) if (!own[key]) findings.missing.push(`${label}.${key}`);
  for (const [key, text] of Object.entries(own)) {
    const [name, category] = key in english ? [key, undefined] : splitKey(key);
    const original = english[key] ?? english[name] ?? english[`${name}_other`];
    if (original === undefined) {
      findings.unknown.push(`${label}.${key}`);
      continue;
    }
    const fault = findFault(text, original, category !== undefined || splitKey(key)[1] !== undefined);
    if (fault) findings.wrong.push(`${label}.${key} ${fault}`);
    if (text === original) findings.unchanged.push(`${label}.${key}`);
  }
  return findings;
}

const readCatalog = (language: string, area: string): Catalog => {
  const file = join(ROOT, 'messages', language, `${area}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};

/** Of all catalogs. */
export function compareCatalogs(): Findings {
  const all = WRITTEN_LANGUAGES.filter((language) => language !== 'en').flatMap((language) =>
    Object.entries(ENGLISH).map(([area, english]) =>
      compareCatalog(readCatalog(language, area), english, language, `${language}/${area}`),
    ),
  );
  const collect = (name: keyof Findings) => all.flatMap((findings) => findings[name]);
  return {
    missing: collect('missing'),
    unknown: collect('unknown'),
    wrong: collect('wrong'),
    unchanged: collect('unchanged'),
  };
}

const readSources = (): string =>
  SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  ).join('\n');

/** English texts that no source names, as 'area.name' or as the beginning of a template. */
export function listUnused(): string[] {
  const areas = Object.keys(ENGLISH).join('|');
  const named = [...readSources().matchAll(new RegExp(`(['"\`])((?:${areas})\\.\\w*)(\\$\\{)?`, 'g'))];
  const whole = new Set(named.filter(([, , , isOpen]) => !isOpen).map(([, , key = '']) => key));
  const beginnings = named.filter(([, , , isOpen]) => isOpen).map(([, , key = '']) => key);
  const keys = Object.entries(ENGLISH).flatMap(([area, catalog]) =>
    Object.keys(catalog).map((key) => `${area}.${splitKey(key)[0]}`),
  );
  return [...new Set(keys)].filter((key) => !whole.has(key) && !beginnings.some((start) => key.startsWith(start)));
}

if (import.meta.main) {
  const { missing, unknown, wrong, unchanged } = compareCatalogs();
  const print = (title: string, found: readonly string[]) => {
    if (found.length > 0) console.log(`${title}:\n${found.map((line) => `  ${line}`).join('\n')}`);
  };
  print('Unchanged from English', unchanged);
  print('Unused', listUnused());
  print('Not in English', unknown);
  print('Missing', missing);
  print('Wrong placeholders or tags', wrong);
  const wrongValues = listWrongValues();
  print('Wrong values', wrongValues);
  if (missing.length + unknown.length + wrong.length + wrongValues.length > 0) process.exitCode = 1;
}
