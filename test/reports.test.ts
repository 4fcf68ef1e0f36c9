import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  countPlaywright,
  countRepeated,
  countReport,
  countRun,
  countVitest,
  listFilesToRepeat,
  readJson,
  type VitestReport,
} from './reports.ts';

const directory = mkdtempSync(join(tmpdir(), 'tradepost-reports-'));
afterAll(() => rmSync(directory, { recursive: true }));

const file = (tests: string[], status = 'passed', name = 'a.test.ts') => ({
  name,
  status,
  assertionResults: tests.map((test, at) => ({ status: test, fullName: `test ${at}` })),
});
const report = (tests: string[], status = 'passed'): VitestReport => ({
  testResults: [file(tests, status)],
  errors: [],
});

const write = (content: unknown): string => {
  const path = join(directory, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};

test('passed, failed and skipped tests are counted separately, and what was skipped or failed is named', () => {
  expect(countVitest(report(['passed', 'passed', 'failed', 'skipped'], 'failed'))).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    notes: ['test 3 (skipped by itself)', 'FAILED: test 2 (a.test.ts)'],
  });
});

test('a file that does not load, or whose hook throws, is a failure although no test failed', () => {
  expect(countVitest(report([], 'failed'))).toMatchObject({
    failed: 1,
    notes: ['FAILED outside of tests: a.test.ts'],
  });
  expect(countVitest(report(['passed', 'skipped'], 'failed')).failed).toBe(1);
});

test('a runner that wrote no report, or fails with all tests green, is a failure, and is named', () => {
  const note = 'FAILED outside of tests: unit; its output says why';
  const read = (path: string) => readJson<VitestReport>(path);
  const missing = read(join(directory, 'missing.json'));
  expect(countRun('unit', { report: missing, succeeded: true })).toMatchObject({ passed: 0, failed: 1, notes: [note] });
  const green = read(write(report(['passed'])));
  expect(countRun('unit', { report: green, succeeded: false })).toMatchObject({ passed: 1, failed: 1, notes: [note] });
  expect(countRun('unit', { report: green, succeeded: true })).toMatchObject({ passed: 1, failed: 0, notes: [] });
  expect(countReport('e2e', undefined, true)).toMatchObject({ passed: 0, failed: 1 });
});

test('an error outside the browser tests is a failure although none of them failed', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  const errors = [{ message: 'no port is free\nat listen' }];
  const note = 'FAILED outside of tests: no port is free';
  expect(countPlaywright({ errors, stats, suites: [] })).toMatchObject({ failed: 1, notes: [note] });
  expect(countPlaywright({ errors, stats: { ...stats, unexpected: 2 }, suites: [] }).failed).toBe(2);
});

test('a journey that passed when it was tried again has passed, and is named, as is one that failed', () => {
  const journey = (title: string, status: 'expected' | 'unexpected' | 'flaky') => ({
    title,
    file: 'a.spec.ts',
    tests: [{ status }],
  });
  const suites = [
    { specs: [journey('steady', 'expected')], suites: [{ specs: [journey('shaky', 'flaky')] }] },
    { specs: [journey('wobbly', 'flaky'), journey('broken', 'unexpected')] },
  ];
  const stats = { expected: 1, unexpected: 1, flaky: 2, skipped: 0 };
  expect(countPlaywright({ errors: [], stats, suites })).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
    notes: [
      'UNSTABLE: shaky (a.spec.ts) failed, and passed when run again',
      'UNSTABLE: wobbly (a.spec.ts) failed, and passed when run again',
      'FAILED: broken (a.spec.ts)',
    ],
  });
});

const run = (report: VitestReport | undefined, succeeded = false) => ({ report, succeeded });

test('the files that failed are counted as the run that repeated them found them', () => {
  const first = run({
    testResults: [file(['passed', 'failed'], 'failed'), file(['passed', 'skipped'], 'passed', 'b.test.ts')],
    errors: [],
  });
  expect(listFilesToRepeat(first)).toEqual(['a.test.ts']);
  const note = 'test 1 (skipped by itself)';
  const passed = countRepeated('unit', first, run(report(['passed', 'passed']), true));
  const unstable = 'UNSTABLE: a.test.ts failed, and passed when run again';
  expect(passed).toEqual({ passed: 3, failed: 0, skipped: 1, notes: [note, unstable] });
  const failed = countRepeated('unit', first, run(report(['passed', 'failed'], 'failed')));
  expect(failed).toEqual({ passed: 2, failed: 1, skipped: 1, notes: [note, 'FAILED: test 1 (a.test.ts)'] });
  expect(countRepeated('unit', first, run(report(['passed', 'passed'])))).toMatchObject({ failed: 1 });
});

describe('an error outside of tests', () => {
  const files = [file(['passed']), file(['passed'], 'passed', 'b.test.ts')];
  const leftOver = { message: 'left over', files: ['b.test.ts'] };
  const first = run({ testResults: files, errors: [leftOver] });

  test('is a failure that names it and its file, and only that file runs again', () => {
    expect(countRun('unit', first)).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
      notes: ['FAILED outside of tests: b.test.ts: left over'],
    });
    expect(listFilesToRepeat(first)).toEqual(['b.test.ts']);
  });

  test('is named as unstable if it is not there when the file runs again, else as a failure', () => {
    const again = { testResults: [files[1]!], errors: [] };
    expect(countRepeated('unit', first, run(again, true))).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
      notes: ['UNSTABLE: error outside of tests, not when run again: b.test.ts: left over'],
    });
    expect(countRepeated('unit', first, run({ ...again, errors: [leftOver] }))).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
      notes: ['FAILED outside of tests: b.test.ts: left over'],
    });
  });

  test('that belongs to no file runs nothing again, and stays a failure when other files run again', () => {
    const nowhere = { message: 'nowhere', files: [] };
    const note = 'FAILED outside of tests: no file is known: nowhere';
    const alone = run({ testResults: files, errors: [nowhere] });
    expect(countRun('unit', alone)).toMatchObject({ passed: 2, failed: 1, notes: [note] });
    expect(listFilesToRepeat(alone)).toEqual([]);
    const both = run({ testResults: files, errors: [nowhere, leftOver] });
    const again = countRepeated('unit', both, run({ testResults: [files[1]!], errors: [] }, true));
    expect(again).toMatchObject({ passed: 2, failed: 1 });
    expect(again.notes).toContain(note);
  });

  test('of a file that failed is no second failure', () => {
    const died = { message: 'Worker exited', files: ['a.test.ts'] };
    const counts = countVitest({ testResults: [file(['failed'], 'failed')], errors: [died] });
    const notes = ['FAILED: test 0 (a.test.ts)', 'FAILED outside of tests: a.test.ts: Worker exited'];
    expect(counts).toMatchObject({ failed: 1, notes });
  });
});

test('all files run again if none has a result', () => {
  for (const first of [run(undefined), run({ testResults: [], errors: [] })]) {
    expect(listFilesToRepeat(first)).toBeUndefined();
    expect(countRepeated('unit', first, run(undefined))).toMatchObject({ failed: 1 });
    const passed = countRepeated('unit', first, run(report(['passed']), true));
    expect(passed).toMatchObject({
      passed: 1,
      failed: 0,
      notes: ['UNSTABLE: unit failed, and passed when run again'],
    });
  }
});
