import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DIRECTORY = new URL('../../migrations/', import.meta.url);
/** Earlier migrations are released and cannot change. */
const FIRST = '20261123000700';
const BIG_TABLES = [
  'ads',
  'ad_images',
  'images',
  'image_blobs',
  'messages',
  'conversations',
  'users',
  'favorites',
  'x_posts',
];

function findBlockingIndexes(source: string): string[] {
  const tables = BIG_TABLES.filter((table) =>
    new RegExp(
      `create\\s+(unique\\s+)?index(?!\\s+concurrently)[^;]*?\\son\\s+(only\\s+)?"?${table}"?[\\s(]`,
      'i',
    ).test(source),
  );
  const problems = tables.map((table) => `blocks writes to ${table}: create the index concurrently`);
  const isConcurrent = /create\s+(unique\s+)?index\s+concurrently/i.test(source);
  if (isConcurrent && !/transaction:\s*false/.test(source)) problems.push('needs config = { transaction: false }');
  const statements =
    source.match(
      /\b(create|alter|drop|insert|update|delete)\s+(table|index|unique|function|trigger|into|from|\w+\s+set)\b/gi,
    ) ?? [];
  if (isConcurrent && statements.some((words) => !/^(create|drop)\s+(unique|index)/i.test(words)))
    problems.push('a concurrent index needs a migration of its own');
  return problems;
}

test.each(
  readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.ts') && name >= FIRST)
    .map((name) => [name]),
)('%s builds the indexes of big tables without blocking writes', (name) => {
  expect(findBlockingIndexes(readFileSync(new URL(name, DIRECTORY), 'utf8'))).toEqual([]);
});

test('an index on a big table is refused unless it is concurrent and alone in its migration', () => {
  const config = 'export const config = { transaction: false };';
  expect(findBlockingIndexes('create index ads_new on ads (title);')).toHaveLength(1);
  expect(findBlockingIndexes('create unique index a on ads using gin (words) where listed;')).toHaveLength(1);
  expect(findBlockingIndexes('create index concurrently a on ads (title);')).toHaveLength(1);
  expect(
    findBlockingIndexes(`${config} create index concurrently a on ads (title); alter table ads add x int;`),
  ).toHaveLength(1);
  expect(
    findBlockingIndexes(`${config} create index concurrently if not exists a on ads (title); drop index a;`),
  ).toEqual([]);
  expect(findBlockingIndexes('create index settings_key on settings (key); alter table ads add x int;')).toEqual([]);
});
