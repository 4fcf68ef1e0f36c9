import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['contract', 'server', 'web/src', 'web/service-worker', 'cli', 'seeds', 'local'];
/** The default currency and language, and the list of currencies. */
const DEFAULTS = ['contract/money.ts', 'contract/languages.ts', 'server/config/currencies.ts'];

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

/** A language, the name of a currency, or an amount of dollars. `$1` is a parameter of SQL or of a replacement. */
const FIXED = /en-US|\bUSD\b|\bUS\$|\$ ?\d{2,}|\$\d[.,]\d|>\s*\$\s*<|['"`]\$['"`]/g;

const listSources = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|(^|\/)test\//.test(file))
      // X has prices of its own, in dollars
      .filter((file) => !file.startsWith('x-simulator/'))
      .map((file) => join(folder, file)),
  );

const find = (source: string): string[] => withoutComments(source).match(FIXED) ?? [];

test('no source has a currency or a language for formats of its own', () => {
  const sources = listSources().filter((file) => !DEFAULTS.includes(file));
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((file) =>
    find(readFileSync(join(ROOT, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each(["'$40'", '<span>$</span>', "toLocaleString('en-US')", "currency: 'USD'", '`Up to $1,250`'])(
  '%s is found',
  (source) => expect(find(source)).toHaveLength(1),
);

test.each(["'where id = $1'", '`$' + '{price}`', '// "$40"', '/** "USD" */'])('%s is allowed', (source) =>
  expect(find(source)).toEqual([]),
);
