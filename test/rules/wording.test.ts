import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildOpenApi } from '../../server/http/endpoints/openapi.ts';
import { findSentences, KNOWN, listSentences } from './sentences.ts';

// No text is recognised by its wording, which differs by language: the API says codes, and code compares codes.

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['contract', 'server', 'web/src', 'web/service-worker'];
/** What others say: PostgreSQL's driver, and the archive that is read. */
const FOREIGN = ['server/db/pools.ts', 'server/features/backup/archive.ts'];

/** A comparison with a sentence or a text of a catalog, or a search for several words. */
const COMPARED =
  /(?:[!=]==\s*|\bcase\s+)(?:'[A-Z][a-z’ ][^'\n]* [^'\n]*'|`[A-Z][a-z’ ][^`\n]* [^`\n]*`|t\(['`])|\.(?:includes|startsWith|endsWith|indexOf)\(\s*(?:'[^'\n]*[a-z’,]{2} [a-zA-Z][^'\n]*'|`[^`\n]*[a-z’,]{2} [a-zA-Z][^`\n]*`|t\(['`])/g;

const find = (source: string): string[] =>
  source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .match(COMPARED) ?? [];

test('no source compares with a sentence', () => {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|(^|\/)test\//.test(file))
      .map((file) => join(folder, file)),
  ).filter((file) => !FOREIGN.includes(file));
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((file) =>
    find(readFileSync(join(ROOT, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  "reply.message === 'Ad not found'",
  "error.message.startsWith('This link has')",
  "case 'Too many requests':",
  "reason !== t('messages.self')",
])('%s is found', (source) => expect(find(source)).toHaveLength(1));

test.each(["code === 'not_found'", "event.key === 'ArrowDown'", "text === ''", '// === "Ad not found"'])(
  '%s is allowed',
  (source) => expect(find(source)).toEqual([]),
);

const listValues = (schema: unknown): unknown[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { enum: values = [], const: value } = schema as { enum?: unknown[]; const?: unknown };
  return [...(Array.isArray(values) ? values : []), value, ...Object.values(schema).flatMap(listValues)];
};

test('no value of the API is a sentence', () => {
  const values = listValues(buildOpenApi({ siteName: 'Tradepost', publicUrl: 'https://market.example' }));
  expect(values).toContain('no_messages');
  expect(values.filter((value) => typeof value === 'string' && value.includes(' '))).toEqual([]);
});

/** A check of zod with a sentence of its own, which would be English for everybody. */
const CHECK =
  /\b(?:string|enum|array|union|number|int|literal|regex|refine|minLength|maxLength|minimum|maximum)\([^\n]*['`][A-Z][a-z]+ [^'`\n]*['`]|\b(?:error|message): ['`][A-Z]/g;

test('checks of the contract say what is wrong by texts of catalogs', () => {
  const found = readdirSync(join(ROOT, 'contract')).flatMap((file) =>
    file.includes('.test.') ? [] : (readFileSync(join(ROOT, 'contract', file), 'utf8').match(CHECK) ?? []),
  );
  expect(found).toEqual([]);
  expect("z.maxLength(50, 'Must be short')".match(CHECK)).toHaveLength(1);
});

test('what people read stands in a catalog, not in the code', () => {
  expect(listSentences().toSorted()).toEqual(KNOWN.toSorted());
});

test.each([
  "const how = 'Choose a category for it.';",
  'const what = `Line ${line} has the same id`;',
  'const page = <p>Nothing was found.</p>;',
  "reply({ message: 'The ad was not found' });",
])('%s is found', (source) => expect(findSentences(source)).toHaveLength(1));

test.each([
  "log.warn({ err }, 'A row could not be imported');",
  "throw new Error('The pool is closed');",
  "const text = t('errors.adNotFound');",
  "db.raw('Select one from ads');",
  "const name = 'Content-Type';",
])('%s is none', (source) => expect(findSentences(source)).toEqual([]));
