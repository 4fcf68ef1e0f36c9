import { existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../test/harness/cli.ts';
import { createProgram } from '../program.ts';

describe.skipIf(!existsSync('/dev/full'))('a disk that is full during other work', () => {
  const { stdin, stdout, stderr } = process;
  const { cli } = createProgram({ env: {}, stdin, stdout, stderr, signal: new AbortController().signal });

  test.each(['', 'more'])('fails a file even if what follows is "%s", and leaves none', async (rest) => {
    const directory = mkdtempSync(join(tmpdir(), 'marketctl-'));
    symlinkSync('/dev/full', join(directory, 'x.csv.partial'));
    const writing = cli.to(join(directory, 'x.csv'), async ({ raw }) => {
      // less than the buffer, so that nothing waits for the disk
      await raw('x'.repeat(16_400));
      await sleep(100);
      if (rest) await raw(rest);
    });
    await expect(writing).rejects.toThrow('ENOSPC');
    expect(readdirSync(directory)).toEqual([]);
  });
});

test.each([
  ['1', undefined, true],
  ['0', undefined, false],
  ['0', 80, false],
  ['', 80, true],
])('FORCE_COLOR=%s in a terminal of width %s', async (FORCE_COLOR, columns, isBold) => {
  const { stdout } = await runCli('config print', { env: { FORCE_COLOR }, columns });
  expect(stdout.includes('\u001B[1m')).toBe(isBold);
});
