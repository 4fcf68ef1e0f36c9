import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../config/load.ts';
import { STORE_KINDS } from '../../config/schema.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const S3 = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' };

test.each(STORE_KINDS)('IMAGE_STORE may be %s', (kind) => {
  const env = { DATABASE_URL: 'postgres://localhost/market', IMAGE_STORE: kind, ...S3 };
  expect(readConfig(env, ['database']).images.store).toBe(kind);
});

test('the chart takes these stores and no others', () => {
  const schema = JSON.parse(read('helm/tradepost/values.schema.json'));
  expect(schema.properties.config.properties.imageStore.enum.toSorted()).toEqual(STORE_KINDS.toSorted());
});

test('the chart checks the settings of every store but the database', () => {
  const checks = read('helm/tradepost/templates/validate.yaml');
  const checked = [...checks.matchAll(/eq \.Values\.config\.imageStore "(\w+)"/g)].map(([, kind]) => kind);
  expect(checked.toSorted()).toEqual(STORE_KINDS.filter((kind) => kind !== 'database').toSorted());
});
