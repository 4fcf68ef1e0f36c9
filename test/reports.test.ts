import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countPlaywright, countVitest, listFailedFiles, readReport, replaceFailed } from './reports.ts';

const directory = mkdtempSync(join(tmpdir(), 'tradepost-reports-'));
afterAll(() => rmSync(directory, { recursive: true }));

const file = (tests: string[], status = 'passed', name = 'a.test.ts') => ({
  name,
  status,
  assertionResults: tests.map((test, at) => ({ status: test, fullName: `test ${at}` })),
});
const report = (tests: string[], status = 'passed') => ({ testResults: [file(tests, status)] });

const write = (content: unknown): string => {
  const path = join(directory, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};

test('passed, failed and skipped tests are counted separately, and what was skipped is named', () => {
  expect(countVitest(report(['passed', 'passed', 'failed', 'skipped'], 'failed'))).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    notes: ['test 3 (skipped by itself)'],
  });
});

test('a file that does not load, or whose hook throws, is a failure although no test failed', () => {
  expect(countVitest(report([], 'failed')).failed).toBe(1);
  expect(countVitest(report(['passed', 'skipped'], 'failed')).failed).toBe(1);
});

test('a runner that wrote no report, or fails with all tests green, is a failure', () => {
  expect(readReport(join(directory, 'missing.json'), true, countVitest)).toMatchObject({ passed: 0, failed: 1 });
  expect(readReport(write(report(['passed'])), false, countVitest)).toMatchObject({ passed: 1, failed: 1 });
  expect(readReport(write(report(['passed'])), true, countVitest)).toMatchObject({ passed: 1, failed: 0 });
});

test('an error outside the browser tests is a failure although none of them failed', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  expect(countPlaywright({ errors: [{}], stats, suites: [] }).failed).toBe(1);
  expect(countPlaywright({ errors: [{}], stats: { ...stats, unexpected: 2 }, suites: [] }).failed).toBe(2);
});

test('a journey that passed when it was tried again has passed, and is named', () => {
  const journey = (title: string, status: 'expected' | 'flaky') => ({ title, file: 'a.spec.ts', tests: [{ status }] });
  const suites = [
    { specs: [journey('steady', 'expected')], suites: [{ specs: [journey('shaky', 'flaky')] }] },
    { specs: [journey('wobbly', 'flaky')] },
  ];
  const stats = { expected: 1, unexpected: 0, flaky: 2, skipped: 0 };
  expect(countPlaywright({ errors: [], stats, suites })).toEqual({
    passed: 3,
    failed: 0,
    skipped: 0,
    notes: [
      'UNSTABLE: shaky (a.spec.ts) failed, and passed when run again',
      'UNSTABLE: wobbly (a.spec.ts) failed, and passed when run again',
    ],
  });
});

test('the files that failed are counted as the run that repeated them found them', () => {
  const first = {
    testResults: [file(['passed', 'failed'], 'failed'), file(['passed', 'skipped'], 'passed', 'b.test.ts')],
  };
  expect(listFailedFiles(first)).toEqual(['a.test.ts']);
  const others = { skipped: 1, notes: ['test 1 (skipped by itself)'] };
  const passed = replaceFailed(first, report(['passed', 'passed']));
  expect(countVitest(passed)).toEqual({ passed: 3, failed: 0, ...others });
  const failed = replaceFailed(first, report(['passed', 'failed'], 'failed'));
  expect(countVitest(failed)).toEqual({ passed: 2, failed: 1, ...others });
});
