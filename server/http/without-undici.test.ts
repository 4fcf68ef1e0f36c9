import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('what the server consists of loads no undici, in whichever package', () => {
  const parts = ['../app-context.ts', './server.ts', '../jobs/worker.ts'].map((part) => new URL(part, import.meta.url));
  const script = `await Promise.all(${JSON.stringify(parts)}.map((part) => import(part)));
    process.stdout.write(process.moduleLoadList.join());
    process.exit();`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(loaded).toContain('NativeModule http');
  expect(loaded).not.toContain('undici');
});
