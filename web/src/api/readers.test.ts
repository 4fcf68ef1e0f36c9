import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Reads without which the page is complete: while they load and after a failure, it shows nothing in their place. Every
 * other read takes `error`, so that a failure never looks like loading or like an empty list.
 */
const OPTIONAL = [
  'features/admin/admin-dashboard.tsx countOpenCases',
  'features/admin/cases/case-queue.tsx countOpenCases',
  // Loads the next case in advance.
  'features/admin/cases/reports-tab.tsx getCase',
  'features/ads/filters/applied-filters.tsx getPlace',
  'features/ads/filters/filter-sheet.tsx getPlace',
  'features/ads/filters/looser-searches.tsx listAds',
  'features/ads/form/category-proposal.tsx proposeCategory',
  'features/ads/own/lower-price-dialog.tsx countSavers',
  'features/ads/use-categories.ts getCategory',
  'features/ads/use-categories.ts getCategoryStats',
  'features/blocks/person-actions.tsx getBlock',
  'features/favorites/favorites.tsx getFavoriteStatus',
  'features/favorites/favorites.tsx listFavoriteIds',
  'features/follows/follow-button.tsx getFollow',
  'features/list/of-filters.tsx suggestSearches',
  'features/places/distances.ts listDistances',
  'features/reports/decision-link.tsx listMyDecisions',
  'features/saved-searches/save-search-button.tsx listSavedSearches',
  'features/unread/unread.tsx getUnreadCount',
  'features/unread/unread.tsx getUnreadNotificationCount',
  'features/x-posting/post-status.tsx listXPosts',
  'pages/create-ad.tsx listUserAds',
  'pages/dashboard.tsx listPurchases',
  'pages/home.tsx getCategoryStats',
];

const SOURCE = join(import.meta.dirname, '..');
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.|^test\/|^api\/(uncached-)?query/.test(path),
);
const READ =
  /(?:const (?<target>\{[^{}=]*\}|\w+) = |(?<returned>return |(?:list|of|query)=\{|=>\s)|)\s*use(?:Infinite)?(?:Api|Form)Query\(\s*(?<spec>\w+)/g;

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

/** Other readers of a query's state, and why `Query` is not enough for them. */
const BY_HAND = [
  // The button at the end of a list waits for its first page, too.
  'features/ads/ad-list.tsx',
  // The heading and the panel say how many ads there are, and that the list failed.
  'features/list/list-page.tsx',
  // After a failed poll, the next one catches up: nothing is said while there is data.
  'features/messages/use-conversation.ts',
  'features/messages/use-inbox.ts',
  'features/places/place-suggestions.tsx',
  // Suggestions: the field works without them.
  'features/search/suggestions.tsx',
  // The form works without the text above it.
  'pages/contact.tsx',
  'ui/data-table.tsx',
  'ui/load-more-button.tsx',
  'ui/query.tsx',
];
const HOOK = String.raw`use(?:Infinite)?(?:Api|Form)Query\b`;

const looksByHand = (source: string): boolean => {
  const named = source.matchAll(new RegExp(String.raw`(\w+)(?: = ${HOOK}|: [^;\n]*QueryState\b)`, 'g'));
  const names = ['list', 'pages', 'query', 'of', ...[...named].map(([, name]) => name)].join('|');
  return new RegExp(
    String.raw`\{[^{}=]*\b(error|isLoading)\b[^{}=]*\} = (${HOOK}|(${names})\b)|(?<!\.)\b(${names})\.(error|isLoading)\b`,
  ).test(source);
};

test('only Query, and the readers listed, look at the error of a query and at whether it loads', () => {
  const found = files.filter((path) => looksByHand(readFileSync(join(SOURCE, path), 'utf8')));
  expect(found.sort()).toEqual(BY_HAND);
});

test.each([
  'const { data, error } = useApiQuery(getMe, {});',
  'const ads = useApiQuery(listAds, {});\nif (ads.error) return null;',
  'const Stats = ({ stats }: { stats: QueryState<UserStats> }) => stats.isLoading ? null : 1;',
])('a component that does so is found: %s', (source) => {
  expect(looksByHand(source)).toBe(true);
});
