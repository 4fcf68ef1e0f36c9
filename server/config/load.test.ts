import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { WRITTEN_LANGUAGES } from '../../contract/languages.ts';
import { PRODUCTION_ENV } from '../../test/harness/production-env.ts';
import { CURRENCY_CODES } from './currencies.ts';
import { type ConfigError, type Environment, readConfig } from './load.ts';
import type { ConfigGroup } from './schema.ts';
import { SEARCH_LANGUAGES } from './search-languages.ts';

const SECRET = 'hush'.repeat(4);

function problemsOf(env: Environment, groups?: readonly ConfigGroup[]): readonly string[] {
  try {
    readConfig(env, groups);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

test('NODE_ENV_FILE turns on the rules of production as NODE_ENV does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  writeFileSync(join(folder, 'mode'), 'production\n');
  const problems = problemsOf({ NODE_ENV_FILE: join(folder, 'mode') });
  rmSync(folder, { recursive: true });
  expect(problems).toContain('SESSION_KEYS is required in production');
  expect(problems).toEqual(problemsOf({ NODE_ENV: 'production' }));
});

test('broken rules are listed with invalid variables, unless a variable of the rule is invalid', () => {
  const env = { PORT: 'eighty', X_MODE: 'sandbox', X_POSTING: 'api', IMAGE_STORE: 's3', S3_ENDPOINT: 'ftp://x' };
  expect(problemsOf(env)).toEqual([
    'PORT must be a whole number',
    'S3_ENDPOINT must be an http(s) address',
    'X_SANDBOX_URL is required with X_MODE=sandbox',
    'TOKEN_ENC_KEY is required with X_POSTING=api',
  ]);
});

test('a bucket needs the address of its service with every store, because images are searched there too', () => {
  expect(problemsOf({ S3_BUCKET: 'pictures' })).toEqual(['S3_ENDPOINT is required with S3_BUCKET']);
  expect(problemsOf({ S3_BUCKET: 'pictures', S3_ENDPOINT: 'https://s3.example' })).toEqual([]);
  expect(problemsOf({ S3_BUCKET: 'pictures', IMAGE_STORE: 's3' })).toEqual([
    'S3_ENDPOINT and S3_BUCKET are required with IMAGE_STORE=s3',
  ]);
});

test('what production refuses is listed with what it misses', () => {
  expect(problemsOf(PRODUCTION_ENV)).toEqual([]);
  expect(problemsOf({ ...PRODUCTION_ENV, PUBLIC_URL: '', AUTH_TEST_USERS: 'on' })).toEqual([
    'PUBLIC_URL is required in production',
    'AUTH_TEST_USERS must be off in production',
  ]);
  // and not to set what it would refuse as well
  expect(problemsOf({ ...PRODUCTION_ENV, X_MODE: 'sandbox' })).toEqual(['X_MODE must be live in production']);
});

test('the clock can be moved by a duration, for at most ten years, and not in production', () => {
  expect(readConfig({}).clockOffset).toBe(0);
  expect(readConfig({ CLOCK_OFFSET: '49h' }).clockOffset).toBe(49 * 3_600_000);
  expect(readConfig({ CLOCK_OFFSET: '8d' }).clockOffset).toBe(8 * 86_400_000);
  for (const wrong of ['49', '-1d', '2 days', '1w', '1.5h'])
    expect(problemsOf({ CLOCK_OFFSET: wrong })).toEqual(['CLOCK_OFFSET must be a duration such as 49h or 8d']);
  expect(problemsOf({ CLOCK_OFFSET: '3651d' })).toEqual(['CLOCK_OFFSET must be at most 3650d']);
  const refusal = ['CLOCK_OFFSET must not be set in production'];
  expect(problemsOf({ ...PRODUCTION_ENV, CLOCK_OFFSET: '8d' })).toEqual(refusal);
  // marketctl, which needs less than the server
  expect(problemsOf({ ...PRODUCTION_ENV, CLOCK_OFFSET: '8d' }, ['database'])).toEqual(refusal);
});

test('the time zone of a public site must be a name that the database knows', () => {
  const problemsWith = (TZ: string) => problemsOf({ ...PRODUCTION_ENV, TZ });
  for (const wrong of ['Mars/Base', '+02:00', ':/etc/localtime'])
    expect([wrong, ...problemsWith(wrong)]).toEqual([wrong, expect.stringContaining('TZ must be the name')]);
  for (const right of ['UTC', 'Europe/Berlin', 'Etc/GMT+2']) expect([right, ...problemsWith(right)]).toEqual([right]);
});

test.each([
  ['SMTP_URL', `smtp://us:${SECRET}@/mail.example`],
  ['SMTP_URL', `smtp://us:12/${SECRET}@mail.example`],
  ['SMTP_URL', `smtp://us:${SECRET}#@mail.example`],
  ['DATABASE_URL', `postgres://us:${SECRET}@/w@db.example/db`],
  ['DATABASE_URL', `postgres://us:/${SECRET}@db.example/db`],
  ['DATABASE_URL', `postgres://us:${SECRET}#@db.example/db`],
  ['DATABASE_URL', `postgres://us:${SECRET}%ff@db.example/db`],
  ['DATABASE_URL', `postgres://us:100%${SECRET}@db.example/db`],
])('%s=%s is no address, and the error does not contain the password', (name, value) => {
  const [problem, ...others] = problemsOf({ [name]: value });
  expect(problem).toContain(`${name} is no address`);
  expect(problem).not.toContain(SECRET);
  expect(others).toEqual([]);
});

test.each([
  ['SMTP_URL', `smtp://us%40mail.example:${SECRET}%2F%25@mail.example:587/?name=shop@home`],
  ['DATABASE_URL', `postgres://us:${SECRET}%23@db.example:5432/db?user=me@server`],
  ['DATABASE_URL', `postgres://us:${SECRET}@/db?host=/run/postgresql`],
  ['DATABASE_URL', 'postgres:///db?host=/run/postgresql'],
  ['DATABASE_URL', 'postgresql://%2Frun%2Fpostgresql/db'],
])('%s=%s is an address', (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([]);
});

test('stores and X come with what they need', () => {
  const config = readConfig({ IMAGE_STORE: 's3', S3_BUCKET: 'photos', S3_ENDPOINT: 'https://s3.example' });
  expect(config.images).toMatchObject({ store: 's3', s3: { endpoint: 'https://s3.example', bucket: 'photos' } });
  expect(readConfig({}).images).toEqual({ store: 'database', directory: './data/images', s3: undefined });
  expect(readConfig({}).x).toEqual({ mode: 'live', clientId: '', clientSecret: '' });
  const sandbox = readConfig({ X_MODE: 'sandbox', X_SANDBOX_URL: 'http://localhost:9' });
  expect(sandbox.x).toEqual({ mode: 'sandbox', sandboxUrl: 'http://localhost:9', clientId: '', clientSecret: '' });
});

test('metrics stay on this machine, unless the overlay with the scraper is used', () => {
  expect(readConfig({ HOST: '0.0.0.0' }).metricsHost).toBe('127.0.0.1');
  const read = (file: string) => parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
  const { services } = read('deploy/compose/compose.metrics.yml');
  for (const name of ['app', 'app-2']) expect(services[name].environment).toEqual({ METRICS_HOST: '0.0.0.0' });
  expect(JSON.stringify(read('docker-compose.yml'))).not.toContain('METRICS_HOST');
});

test('CURRENCY is a currency in circulation, with its decimals', () => {
  const read = (code: string) => readConfig({ CURRENCY: code }).currency;
  expect(readConfig({}).currency).toEqual({ code: 'USD', decimals: 2, digits: 8 });
  expect([read('eur'), read('JPY'), read('KWD')]).toEqual([
    { code: 'EUR', decimals: 2, digits: 8 },
    { code: 'JPY', decimals: 0, digits: 10 },
    { code: 'KWD', decimals: 3, digits: 8 },
  ]);
  for (const code of ['DEM', 'XAU', 'Euro'])
    expect(problemsOf({ CURRENCY: code })).toEqual([`CURRENCY must be one of ${CURRENCY_CODES.join(', ')}`]);
});

const LANGUAGES_OF_PAGES = 'LOCALES must be some of en,de,fr,es,pt-BR,ja,ar';

test('LOCALES are languages of the catalogs, in any case', () => {
  expect(readConfig({ LOCALES: 'PT-br, ar' }).locales).toEqual(['pt-BR', 'ar']);
  for (const wrong of ['xx', 'en,pt', 'de;en', 'English']) {
    expect(problemsOf({ LOCALES: wrong })).toEqual([LANGUAGES_OF_PAGES]);
    expect(problemsOf({ ...PRODUCTION_ENV, LOCALES: wrong })).toEqual([LANGUAGES_OF_PAGES]);
  }
});

test('pseudo-languages are for development and tests alone', () => {
  for (const locales of ['en,en-XA', 'ar-xb']) {
    for (const env of [{}, { NODE_ENV: 'test' }]) expect(problemsOf({ ...env, LOCALES: locales })).toEqual([]);
    expect(problemsOf({ ...PRODUCTION_ENV, LOCALES: locales })).toEqual([LANGUAGES_OF_PAGES]);
  }
  expect(problemsOf({ ...PRODUCTION_ENV, LOCALES: WRITTEN_LANGUAGES.join(',') })).toEqual([]);
});

test('SEARCH_LANGUAGES are languages that the search knows', () => {
  expect(readConfig({ SEARCH_LANGUAGES: 'de, EN,nl' }).searchLanguages).toEqual(['de', 'en', 'nl']);
  expect(readConfig({ LOCALES: WRITTEN_LANGUAGES.join(',') }).searchLanguages).toEqual([
    'en',
    'de',
    'fr',
    'es',
    'pt',
    'ja',
    'ar',
  ]);
  for (const wrong of ['deu', 'en,xx', 'pt-br', 'nb', 'german'])
    expect([wrong, problemsOf({ SEARCH_LANGUAGES: wrong })]).toEqual([
      wrong,
      [`SEARCH_LANGUAGES must be some of ${SEARCH_LANGUAGES.join(',')}`],
    ]);
  expect(problemsOf({ SEARCH_LANGUAGES: SEARCH_LANGUAGES.slice(0, 11).join() })).toEqual([
    'SEARCH_LANGUAGES must be at most ten languages',
  ]);
});

test('JavaScript knows every currency', () => {
  expect(CURRENCY_CODES.filter((code) => !Intl.supportedValuesOf('currency').includes(code))).toEqual([]);
  expect(CURRENCY_CODES.length).toBeGreaterThan(140);
});
