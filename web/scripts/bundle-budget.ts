import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = join(import.meta.dirname, '../dist');
const KB = 1000;
const BUDGET = {
  firstLoadOfHome: 150 * KB,
  /** With its texts in the language whose weigh most. */
  addedByRoute: 34 * KB,
  charts: 65 * KB,
  css: 15 * KB,
  serviceWorker: 3 * KB,
};

const CHART = 'src/features/analytics/day-chart.tsx';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));

const weigh = (file: string): number => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length;

/** A chunk and all its static imports: what the browser loads before the chunk runs. */
const closureOf = (key: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) closureOf(next, seen);
  return seen;
};

const weighChunks = (keys: Iterable<string>): number =>
  [...keys].reduce((sum, key) => sum + weigh(manifest[key]?.file ?? ''), 0);

/** The catalogs that each page needs besides that of its language. */
const areas: Record<string, string[]> = JSON.parse(readFileSync(join(DIST, '.vite/areas.json'), 'utf8'));

/** The catalogs of a page in the language whose weigh most. Pseudo-languages are computed. */
const weighCatalogs = (names: readonly string[]): number =>
  Math.max(
    ...Object.keys(manifest)
      .filter((key) => /^\.\.\/virtual:catalogs\/(?!.*-X[AB])[\w-]+$/.test(key))
      .map((language) => weighChunks(names.map((name) => language + name))),
  );

const toAreas = (page: string): string[] => (areas[page] ?? []).map((area) => `/${area}`);

const entry = 'index.html';
const always = closureOf(entry);
const routes = Object.keys(manifest).filter((key) => /^src\/pages\/[^/]+\.tsx$/.test(key));

const results = [
  {
    what: 'first load of / (JavaScript)',
    bytes:
      weighChunks(closureOf('src/pages/home.tsx').union(always)) +
      weighCatalogs(['', ...toAreas('src/pages/home.tsx')]),
    limit: BUDGET.firstLoadOfHome,
  },
  {
    what: 'CSS',
    bytes: (manifest[entry]?.css ?? []).reduce((sum, file) => sum + weigh(file), 0),
    limit: BUDGET.css,
  },
  {
    what: 'charts, when the first one is shown',
    bytes: weighChunks(closureOf(CHART).difference(always)),
    limit: BUDGET.charts,
  },
  {
    what: 'service worker',
    bytes: weigh('service-worker.js'),
    limit: BUDGET.serviceWorker,
  },
  ...routes.map((key) => ({
    what: `added by ${basename(key, '.tsx')}`,
    bytes: weighChunks(closureOf(key).difference(always)) + weighCatalogs(toAreas(key)),
    limit: BUDGET.addedByRoute,
  })),
];

for (const { what, bytes, limit } of results.toSorted((a, b) => b.bytes - a.bytes))
  console.log(
    `${bytes > limit ? 'TOO HEAVY' : 'ok       '} ${(bytes / KB).toFixed(1).padStart(6)} of ${limit / KB} kB gzip  ${what}`,
  );
if (routes.length === 0 || results.some(({ bytes, limit }) => bytes > limit)) process.exitCode = 1;
