import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../test/harness/cli.ts';
import { EXIT } from '../framework/errors.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('marketctl config', () => {
  test('docs/CONFIGURATION.md is what config docs prints', async () => {
    expect(read('docs/CONFIGURATION.md')).toBe((await runCli('config docs')).stdout);
  });

  test('.env.example is what config docs --format env prints', async () => {
    expect(read('.env.example')).toBe((await runCli('config docs --format env')).stdout);
  });

  test('check tells every error at once and ends with 3', async () => {
    const env = { NODE_ENV: 'production', PORT: 'x', LOG_LEVEL: 'loud', SESSION_KEYS: 'short' };
    const { code, stderr, stdout } = await runCli('config check', { env });
    expect(code).toBe(EXIT.config);
    for (const name of ['PORT', 'LOG_LEVEL', 'SESSION_KEYS', 'PUBLIC_URL', 'DATABASE_URL', 'X_CLIENT_ID'])
      expect(stderr).toContain(`  ${name} `);
    expect(stderr).toContain('LOG_LEVEL must be one of trace, debug, info');
    expect(stdout).toBe('');
  });

  test('check --for cli does not ask for what only the server needs', async () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/x' };
    expect((await runCli('config check --for cli', { env })).code).toBe(EXIT.ok);
    expect((await runCli('config check --for server', { env })).code).toBe(EXIT.config);
  });

  test('check warns of a misspelled variable', async () => {
    const { stderr, code } = await runCli('config check', { env: { SESSION_KEY: 'x', PATH: '/bin' } });
    expect(stderr).toContain('SESSION_KEY is not known; did you mean SESSION_KEYS?');
    expect(code).toBe(EXIT.ok);
  });

  test('print says where each value comes from and shows no secret', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'keys');
    writeFileSync(file, `${'k'.repeat(32)}\n`);
    const env = { PORT: '1234', SESSION_KEYS_FILE: file };
    const { json, stdout } = await runCli('config print -o json', { env });
    const found = (name: string) => json().find((row: { name: string }) => row.name === name);
    expect(found('PORT')).toMatchObject({ value: '1234', source: 'environment' });
    expect(found('SESSION_KEYS')).toMatchObject({ value: '(hidden)', source: 'file' });
    expect(found('HOST')).toMatchObject({ source: 'default' });
    expect(stdout).not.toContain('kkkk');
  });

  test('NAME and NAME_FILE together, an unreadable and an empty file are errors', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'marketctl-'));
    writeFileSync(join(dir, 'empty'), ' \n');
    const env = { PORT: '1', PORT_FILE: '/x', HOST_FILE: join(dir, 'nothing'), SITE_NAME_FILE: join(dir, 'empty') };
    const { stderr, code } = await runCli('config check', { env });
    expect(code).toBe(EXIT.config);
    expect(stderr).toContain('PORT and PORT_FILE are both set');
    expect(stderr).toContain('HOST_FILE cannot be read: ENOENT');
    expect(stderr).toContain('SITE_NAME_FILE is empty');
  });

  test('--env-file is read, but what is set already stays', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), '.env');
    writeFileSync(file, 'PORT=1\nHOST=h\n');
    const { json } = await runCli(`config print -o json --fields name,value --env-file ${file}`, {
      env: { PORT: '2' },
    });
    const values = Object.fromEntries(json().map((row: { name: string; value: string }) => [row.name, row.value]));
    expect(values).toMatchObject({ PORT: '2', HOST: 'h' });
    expect((await runCli('config print --env-file /nowhere')).code).toBe(EXIT.usage);
  });

  test('--database-url-file leaves no other database in force', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'staging');
    writeFileSync(file, 'postgres://staging/x\n');
    const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'];
    for (const suffix of ['', '_FILE']) {
      const env = Object.fromEntries(names.map((name) => [`${name}${suffix}`, 'postgres://production/x']));
      const { json } = await runCli(`config print -o json --database-url-file ${file}`, { env });
      const rows = json().filter(({ name }: { name: string }) => names.includes(name));
      expect(rows.map(({ source }: { source: string }) => source)).toEqual(['file', 'default', 'default']);
    }
  });
});
