import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fingerprint, openCliDatabase } from '../test/harness/cli.ts';
import { EXIT } from './framework/errors.ts';

const { url, db } = await openCliDatabase();
const BIN = fileURLToPath(new URL('./bin.js', import.meta.url));
const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url, TERM: 'xterm' };
const hasScript = spawnSync('script', ['--version']).status === 0;

/** The real program: in a pipe, or on a terminal of script(1) that is fed `input` once it asks. */
const start = (args: string[], options: SpawnOptions = {}) => {
  const child = spawn(process.execPath, [BIN, ...args], { env, ...options });
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (chunk) => (stdout += chunk));
  child.stderr!.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended, said: () => stderr };
};

const onTerminal = async (line: string, answers: [when: string, answer: string][]) => {
  const command = `stty cols 60; ${process.execPath} ${BIN} ${line}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...env, SHELL: '/bin/sh' } });
  let screen = '';
  let seen = 0;
  child.stdout.on('data', (chunk) => {
    screen += chunk;
    const [when, answer] = answers[0] ?? [];
    if (when === undefined || !screen.slice(seen).includes(when)) return;
    seen = screen.length;
    answers.shift();
    child.stdin.write(answer!);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, screen };
};

describe('in a pipe', () => {
  test('there is no colour, no bar, no question, and data alone on stdout', async () => {
    const { code, stdout, stderr } = await start(['seed', 'categories', '-o', 'json']).ended;
    expect([code, stderr]).toEqual([EXIT.ok, '']);
    expect(JSON.parse(stdout).created).toBe(25);
    const down = await start(['migrate', 'down'], { stdio: ['ignore', 'pipe', 'pipe'] }).ended;
    expect([down.code, down.stdout]).toEqual([EXIT.notConfirmed, '']);
    expect((await start(['category', 'list']).ended).stdout).not.toContain('\u001B');
  });

  test('a reader that has seen enough is no error', async () => {
    await db('users').insert(Array.from({ length: 500 }, (_, i) => ({ display_name: `U${i}` })));
    const line = `"${process.execPath}" "${BIN}" user list --all -o ndjson | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', line], { env, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n').at(-1)).toBe('0');
  });

  test('SIGINT ends a daemon after its jobs, and says what was done', async () => {
    const daemon = start(['jobs', 'run', '--daemon']);
    while (!daemon.said().includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 50));
    daemon.child.kill('SIGINT');
    const { code, stderr } = await daemon.ended;
    expect([code, stderr]).toEqual([EXIT.ok, expect.stringContaining('Stopped')]);
  });

  test('SIGINT in the midst of a backup leaves no file and ends with 130', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'never.tar');
    const holder = await db.transaction();
    await holder.raw('set local idle_in_transaction_session_timeout = 0');
    await holder.raw('lock table users in access exclusive mode');
    const backup = start(['backup', 'create', '--out', file]);
    for (;;) {
      const { rows } = await db.raw(
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      if (rows[0].n > 0) break;
    }
    backup.child.kill('SIGINT');
    await holder.rollback();
    const { code, stderr } = await backup.ended;
    expect([code, stderr]).toEqual([EXIT.interrupted, 'Interrupted.\n']);
    expect((await start(['backup', 'verify', file]).ended).code).toBe(EXIT.notFound);
  });
});

test.each([
  ['category add Never', 'categories'],
  ['seed demo --ads 50', 'ads'],
  ['migrate down --yes', 'knex_migrations'],
])('SIGINT ends %s, which does not wait for it, at once; nothing of it stays', async (line, table) => {
  const tables = ['categories', 'users', 'ads', 'audit_log', 'knex_migrations'];
  const before = await fingerprint(db, ...tables);
  const holder = await db.transaction();
  // on a busy machine the program takes longer to come to the lock than a transaction of ours may idle
  await holder.raw('set local idle_in_transaction_session_timeout = 0');
  await holder.raw('lock table ?? in access exclusive mode', [table]);
  const seed = start(line.split(' '));
  for (;;) {
    const { rows } = await db.raw(
      "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    if (rows[0].n > 0 || seed.child.exitCode !== null) break;
  }
  seed.child.kill('SIGINT');
  const { code, stderr } = await seed.ended;
  await holder.rollback();
  expect([code, stderr]).toEqual([
    EXIT.interrupted,
    expect.stringContaining('Interrupted; what was not committed is rolled back.\n'),
  ]);
  expect(await fingerprint(db, ...tables)).toBe(before);
});

describe.skipIf(!hasScript)('on a terminal', () => {
  test('passwords are asked for twice and never shown', async () => {
    const typed = 'a long enough secret\r';
    const { code, screen } = await onTerminal('admin create root', [
      ['Password: ', typed],
      ['Once more: ', typed],
    ]);
    expect([code, screen]).toEqual([EXIT.ok, expect.stringContaining('Administrator root was made')]);
    expect(screen).not.toContain('enough secret');
    const differing = await onTerminal('admin create other', [
      ['Password: ', typed],
      ['Once more: ', 'something else\r'],
    ]);
    expect([differing.code, differing.screen]).toEqual([EXIT.usage, expect.stringContaining('differ')]);
  });

  test('what cannot be undone asks first, and no is no', async () => {
    const no = await onTerminal('category merge books --into toys', [['[y/N]', 'n\r']]);
    expect([no.code, no.screen]).toEqual([EXIT.notConfirmed, expect.stringContaining('Nothing was changed')]);
    const yes = await onTerminal('category merge books --into toys', [['[y/N]', 'y\r']]);
    expect(yes.code).toBe(EXIT.ok);
    const asked = await onTerminal('category merge toys --into pets --no-input', []);
    expect(asked.code).toBe(EXIT.notConfirmed);
  });

  test('deleting a user wants the name typed', async () => {
    await db('users').insert({ display_name: 'X', username: 'typed_out' });
    const wrong = await onTerminal('user delete @typed_out', [['go on: ', 'yes\r']]);
    expect([wrong.code, wrong.screen]).toEqual([EXIT.notConfirmed, expect.stringContaining('not the name')]);
    expect((await onTerminal('user delete @typed_out', [['go on: ', 'typed_out\r']])).code).toBe(EXIT.ok);
  });

  test('tables fit the terminal, headers are bold unless NO_COLOR', async () => {
    const { screen } = await onTerminal('category list', []);
    expect(screen).toContain('\u001B[1m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal's own sequences
    const lines = screen.replace(/\u001B\[[0-9;]*m/g, '').split(/\r?\n/);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(60);
    expect((await onTerminal('category list --no-color', [])).screen).not.toContain('\u001B[1m');
  });

  test('progress appears in no line of the output', async () => {
    const { code, screen } = await onTerminal('stats export --metric ads', []);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal's own sequences
    const lines = screen.replace(/[^\n]*\u001B\[K/g, '').split(/\r*\n/);
    expect([code, lines[0]]).toEqual([EXIT.ok, 'bucket,ads']);
    expect(lines.slice(1, -1).filter((line) => !/^2\d{3}-\d\d-\d\dT00:00:00Z,\d+$/.test(line))).toEqual([]);
  });

  test('Ctrl-C at a question ends with 130', async () => {
    const { code, screen } = await onTerminal('category merge toys --into pets', [['[y/N]', '\u0003']]);
    expect([code, screen]).toEqual([EXIT.interrupted, expect.stringContaining('Interrupted')]);
  });
});
