import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Reads without which the page is complete: while they load and after a failure, it shows nothing in their place. Every
 * other read takes `error`, so that a failure never looks like loading or like an empty list.
 */
const OPTIONAL = [
  'app/layout/navbar.tsx getUnreadCount',
  'features/admin/admin-dashboard.tsx countOpenCases',
  'features/admin/cases/case-queue.tsx countOpenCases',
  // Loads the next case in advance.
  'features/admin/cases/reports-tab.tsx getCase',
  'features/ads/filters/applied-filters.tsx getPlace',
  'features/ads/filters/filter-chips.tsx correctSearch',
  'features/ads/filters/filter-chips.tsx getCategoryStats',
  'features/ads/filters/filter-sheet.tsx getPlace',
  'features/ads/filters/looser-searches.tsx listAds',
  // The categories of the contract stand in.
  'features/ads/use-categories.ts listCategories',
  'features/blocks/block-button.tsx getBlock',
  'features/favorites/favorites.tsx getFavoriteStatus',
  'features/favorites/favorites.tsx listFavoriteIds',
  'features/follows/follow-button.tsx getFollow',
  'features/notifications/notifications-badge.tsx getUnreadNotificationCount',
  'features/reports/decision-link.tsx listMyDecisions',
  'features/x-posting/post-status.tsx listXPosts',
  // The conversation below the header reads the same and shows the failure.
];

const SOURCE = join(import.meta.dirname, '..');
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.|^test\/|^api\/(uncached-)?query/.test(path),
);
const READ =
  /(?:const (?<target>\{[^{}=]*\}|\w+) = |(?<returned>return |list=\{|=> )|)\s*use(?:Infinite)?(?:Api|Form)Query\(\s*(?<spec>\w+)/g;

const isHandled = (source: string, { target = '', returned }: { target?: string; returned?: string }): boolean =>
  /\berror\b/.test(target) ||
  (/^\w+$/.test(target) && new RegExp(`\\b${target}\\.error|=\\{${target}\\}`).test(source)) ||
  returned !== undefined;

test('all reads and writes of the cache go through api/', () => {
  const direct = files.filter((path) => readFileSync(join(SOURCE, path), 'utf8').includes("from 'swr'"));
  // The other two: the session, which is read again until it is known, and the provider of the cache.
  expect(direct.sort()).toEqual(['api/session.ts', 'app/app.tsx']);
});

test('every read of the browser handles its failure, or is listed as optional', () => {
  const unhandled = files.flatMap((path) => {
    const source = readFileSync(join(SOURCE, path), 'utf8');
    return [...source.matchAll(READ)]
      .filter((match) => !isHandled(source, match.groups ?? {}))
      .map((match) => `${path} ${match.groups?.spec}`);
  });
  expect([...new Set(unhandled)].sort()).toEqual(OPTIONAL);
});
