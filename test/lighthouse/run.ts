import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { findFreePort } from '../../local/ports.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../harness/chromium.ts';
import { startOwnMarketplace } from '../harness/own-marketplace.ts';
import { makePhoto, toDataUrl } from '../harness/photos.ts';

// `make lighthouse`: runs the mobile preset on three pages in each of three languages, three times each, and prints medians. It
// never fails on a result.

const RUNS = 3;
/** One that reads from right to left, and one with long words. */
const LANGUAGES = ['en', 'de', 'ar'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];

const postAd = async (address: string): Promise<string> => {
  const photos = await Promise.all(
    [1, 2, 3, 4, 5].map((seed) => makePhoto({ kind: 'furniture', seed, width: 1200, height: 900 })),
  );
  const response = await fetch(`${address}/api/ads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Test-User': '1001', Origin: address },
    body: JSON.stringify({
      title: 'Walnut sideboard from the sixties',
      description: 'Four doors, two drawers, original handles. A scratch on top that oil would hide.',
      price: '420',
      category: 'furniture',
      location: 'Portland, OR',
      imageUrls: photos.map((photo) => toDataUrl(photo)),
    }),
  });
  if (!response.ok) throw new Error(`the ad was refused: ${await response.text()}`);
  return `/ads/${((await response.json()) as { id: string }).id}`;
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Measures a page several times. Returns medians of the scores (0–100) and metrics (ms; layout shift has no unit). */
const measure = async (url: string, language: string, port: number): Promise<Record<string, number>> => {
  const flags = { port, output: 'json', logLevel: 'error', onlyCategories: CATEGORIES } as const;
  const runs: Record<string, number>[] = [];
  for (let run = 0; run < RUNS; run++) {
    const result = await lighthouse(url, { ...flags, extraHeaders: { 'Accept-Language': language } });
    if (!result) throw new Error(`lighthouse said nothing about ${url}`);
    const { categories, audits } = result.lhr;
    runs.push({
      ...Object.fromEntries(CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)])),
      ...Object.fromEntries(METRICS.map((name) => [name, audits[name]?.numericValue ?? Number.NaN])),
    });
    const failed = Object.values(audits).filter(
      (audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode === 'binary',
    );
    if (run === 0) for (const audit of failed) console.error(`  ${audit.id}: ${audit.title}`);
  }
  return Object.fromEntries(
    [...CATEGORIES, ...METRICS].map((name) => [
      name,
      Math.round(median(runs.map((run) => run[name] ?? Number.NaN)) * 1000) / 1000,
    ]),
  );
};

const { path, problem } = ensureChromium();
if (!path) throw new Error(problem);
const marketplace = await startOwnMarketplace({
  settings: { LOCALES: LANGUAGES.join() },
  durable: true,
  say: (message) => console.error(message),
});
const port = await findFreePort('127.0.0.1', 0);
const browser = await chromium.launch({
  executablePath: path,
  args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`],
  // A default of Playwright that would break Lighthouse's audit of the back/forward cache.
  ignoreDefaultArgs: ['--disable-back-forward-cache'],
});
try {
  const ad = await postAd(marketplace.address);
  const table: Record<string, Record<string, number>> = {};
  for (const language of LANGUAGES)
    for (const page of ['/', ad, '/categories?category=furniture'])
      table[`${language} ${page}`] = await measure(`${marketplace.address}${page}`, language, port);
  console.table(table);
} finally {
  await browser.close();
  await marketplace.remove();
}
