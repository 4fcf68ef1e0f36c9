import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from './index.ts';

/** Writes to an ad that change nothing that its page, the lists or its owner's table show. */
const HARMLESS = ['toggleFavorite', 'retryXPost'];

test('every write to an ad makes its page and the lists read it again', () => {
  const writes = endpoints.filter(
    ({ name, spec }) =>
      spec.method !== 'GET' && /^\/api\/(admin\/)?ads\/:id/.test(spec.path) && !HARMLESS.includes(name),
  );
  expect(writes.length).toBeGreaterThan(5);
  const forgotten = writes.flatMap(({ name, spec: { path, invalidates = [] } }) => {
    const shown = ['ad', 'ads', path.startsWith('/api/admin') ? 'adminAds' : 'myAds'] as const;
    return shown.filter((tag) => !invalidates.includes(tag)).map((tag) => `${name}: ${tag}`);
  });
  expect(forgotten).toEqual([]);
});

test('the screens add no tags to those of the contract', () => {
  const root = join(import.meta.dirname, '../web/src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  );
  const patched = files.filter((file) => /\.\.\.\w+\.invalidates,/.test(readFileSync(join(root, file), 'utf8')));
  expect(patched).toEqual([]);
});
