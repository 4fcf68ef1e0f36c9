import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { WRITTEN_LANGUAGES } from '../../contract/languages.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Runs deploy/compose/init.sh in a folder of an operator, without a terminal. */
const init = (env: Record<string, string>) => {
  const directory = mkdtempSync(join(tmpdir(), 'init-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  cpSync(join(ROOT, 'deploy/compose/init.sh'), join(directory, 'deploy/compose/init.sh'));
  const { status, stderr } = spawnSync(join(directory, 'deploy/compose/init.sh'), ['https://market.example'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', X_CLIENT_ID: 'us', X_CLIENT_SECRET: 'hush', ...env },
  });
  const path = join(directory, '.env');
  return { status, stderr, settings: existsSync(path) ? readFileSync(path, 'utf8') : undefined };
};

test.each([
  ['', 'USD'],
  ['EUR', 'EUR'],
  ['jpy', 'JPY'],
])('init.sh takes the currency "%s" as %s', (given, written) => {
  const { status, settings } = init({ CURRENCY: given });
  expect([status, settings?.split('\n')]).toEqual([0, expect.arrayContaining([`CURRENCY=${written}`])]);
});

test.each(['Euro', '€', 'EU', 'EUR\nNODE_ENV=test'])(
  'init.sh refuses "%s" as a currency, and writes nothing',
  (given) => {
    expect(init({ CURRENCY: given })).toEqual({
      status: 2,
      stderr: expect.stringContaining('is no currency: write its three letters of ISO 4217, such as EUR'),
      settings: undefined,
    });
  },
);

test.each(['deploy/compose/init.sh', 'helm/tradepost/values.yaml'])('%s names every language', (path) => {
  expect(read(path).replaceAll(' ', '')).toContain(WRITTEN_LANGUAGES.join(','));
});

test('the container for a look around takes the settings of the site, as make start does', () => {
  const { environment } = parse(read('deploy/compose/compose.try.yml')).services.try;
  for (const name of ['LOCALES', 'CURRENCY', 'SITE_NAME']) {
    expect(environment[name]).toBe(`\${${name}:-}`);
    expect(read('README.md')).toContain(`| \`${name}\` |`);
  }
});
