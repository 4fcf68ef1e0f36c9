import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['contract', 'server', 'cli', 'local', 'web/src', 'web/service-worker', 'migrations', 'seeds'];
const MOST = 400;

test(`no file of the product has more than ${MOST} lines`, () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(800);
  const long = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 > MOST);
  expect(long).toEqual([]);
});
