import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startProgress } from './terminal.ts';

const watch = (isTTY: boolean, isQuiet = false) => {
  const written: string[] = [];
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    }),
    { isTTY },
  );
  return { written, progress: startProgress({ stderr, isQuiet: () => isQuiet } as never, 'Copying') };
};

describe('progress of long work', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  const work = (progress: ReturnType<typeof startProgress>) => {
    for (let done = 0; done <= 100; done += 10) {
      vi.advanceTimersByTime(1000);
      progress.at(done, 100);
    }
    progress.end();
  };

  test('is a bar on a terminal, wiped at the end', () => {
    const { written, progress } = watch(true);
    work(progress);
    expect(written).toContain(`\r\u001B[KCopying ${'█'.repeat(12)}${'░'.repeat(12)} 50/100 50%`);
    expect(written.at(-1)).toBe('\r\u001B[K');
  });

  test('is a plain line every five seconds elsewhere', () => {
    const { written, progress } = watch(false);
    work(progress);
    expect(written).toEqual(['Copying: 40 of 100\n', 'Copying: 90 of 100\n']);
  });

  test('prints nothing with --quiet', () => {
    const { written, progress } = watch(true, true);
    work(progress);
    expect(written).toEqual([]);
  });
});
