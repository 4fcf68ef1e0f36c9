import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ConfigError, type Environment, readConfig } from './config.ts';

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

test('production asks the same whether NODE_ENV or the file that NODE_ENV_FILE names says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  writeFileSync(join(folder, 'mode'), 'production\n');
  const problems = problemsOf({ NODE_ENV_FILE: join(folder, 'mode') });
  rmSync(folder, { recursive: true });
  expect(problems).toContain('SESSION_KEYS is required in production');
  expect(problems).toEqual(problemsOf({ NODE_ENV: 'production' }));
});
