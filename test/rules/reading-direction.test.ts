import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../web/src');

/** A class of Tailwind that names a side. `left-1/2` centers, with a translation. */
const PHYSICAL =
  /(?<=['"`\s:]-?)(?:(?:ml|mr|pl|pr)-[\d.[]|(?:left|right)-(?!1\/2)(?:[\d.[]|full|auto)|text-(?:left|right)\b|rounded-(?:[lr]|[tb][lr])-|border-[lr]\b)\S*/g;

const findPhysical = (source: string): string[] => source.match(PHYSICAL) ?? [];

test('classes name the start and the end of a line, which Arabic has on the other side', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx$/.test(file),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    findPhysical(readFileSync(join(SOURCES, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test.each(['"ml-2"', "'md:-mr-3'", '`absolute left-0`', '"text-right"', '"rounded-tl-md"', '"border-l p-4"'])(
  '%s is found',
  (source) => expect(findPhysical(source)).toHaveLength(1),
);

test.each(['"ms-2 -end-3"', '"left-1/2 -translate-x-1/2"', 'ArrowLeft', "'left'"])('%s is allowed', (source) =>
  expect(findPhysical(source)).toEqual([]),
);
