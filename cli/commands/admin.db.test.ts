import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { fingerprint, openCliDatabase } from '../../test/harness/cli.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
const PASSWORD = 'correct horse battery';
const hashOf = async (login: string): Promise<string> =>
  (await db('admin_credentials').where({ login }).first('password_hash'))!.password_hash;
const insertSession = (userId: string) =>
  db('sessions').insert({
    sid_hash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))),
    user_id: userId,
    kind: 'password',
    data: {},
    expires_at: db.raw("now() + interval '1 hour'"),
  });

describe('marketctl admin', () => {
  test('create reads the password from standard input and stores only its argon2id hash', async () => {
    const { code, json, stderr, stdout } = await run('admin create root --password-stdin -o json', {
      stdin: `${PASSWORD}\n`,
    });
    expect(code).toBe(EXIT.ok);
    expect(json()).toMatchObject({ login: 'root' });
    const hash = await hashOf('root');
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(await verify(hash, PASSWORD)).toBe(true);
    expect(stdout + stderr).not.toContain(PASSWORD);
    const user = await db('users').where({ id: json().id }).first();
    expect(user).toMatchObject({ role: 'admin', username: null });
    expect(JSON.stringify(user)).not.toContain('root');
  });

  test('people are shown an administrator without an X account by a word of the marketplace’s own language', async () => {
    const { json } = await run('admin create yuki --generate -o json', { env: { LOCALES: 'ja,en' } });
    expect(await db('users').where({ id: json().id }).first('display_name')).toEqual({ display_name: '管理者' });
    await db('users').where({ id: json().id }).delete();
  });

  test('the same again is 6, and with --exists-ok 0; neither changes anything', async () => {
    const before = await fingerprint(db, 'users', 'admin_credentials', 'audit_log');
    expect((await run('admin create ROOT --generate')).code).toBe(EXIT.conflict);
    const ok = await run('admin create root --password-stdin --exists-ok', { stdin: 'of-before\n' });
    expect([ok.code, ok.stderr]).toEqual([EXIT.ok, 'root exists already.\n']);
    expect(ok.stdout).toContain('login  root');
    expect(await fingerprint(db, 'users', 'admin_credentials', 'audit_log')).toBe(before);
  });

  test('--generate prints the password alone on stdout', async () => {
    const { stdout, stderr } = await run('admin create second --generate');
    expect(stdout).toMatch(/^[\w-]{24}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    expect(await verify(await hashOf('second'), stdout.trim())).toBe(true);
  });

  test('--password-file reads the first line', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'pw');
    writeFileSync(file, `${PASSWORD}\r\nmore\n`);
    expect((await run(`admin create third --password-file ${file}`)).code).toBe(EXIT.ok);
    expect(await verify(await hashOf('third'), PASSWORD)).toBe(true);
    expect((await run('admin create fourth --password-file /nowhere')).code).toBe(EXIT.notFound);
  });

  test('refuses short and common passwords, and none at all', async () => {
    for (const stdin of ['short\n', 'kettle-blue\n', 'password1234\n', ''])
      expect((await run('admin create weak --password-stdin', { stdin })).code, stdin).toBe(EXIT.usage);
    const none = await run('admin create weak');
    expect([none.code, none.stderr]).toEqual([EXIT.usage, expect.stringContaining('--password-stdin')]);
    expect((await run('admin create weak --generate --password-stdin')).code).toBe(EXIT.usage);
    expect(await db('admin_credentials').where({ login: 'weak' })).toEqual([]);
  });

  test('--user makes an X user an administrator', async () => {
    await db('users').insert({ display_name: 'Ann', username: 'ann_x' });
    expect((await run('admin create ann --user @Ann_X --generate')).code).toBe(EXIT.ok);
    expect(await db('users').where({ username: 'ann_x' }).first('role')).toEqual({ role: 'admin' });
    expect((await run('admin create ann2 --user @ann_x --generate')).code).toBe(EXIT.conflict);
    expect((await run('admin create bob --user @nobody --generate')).code).toBe(EXIT.notFound);
  });

  test('list has stable fields', async () => {
    const { json } = await run('admin list -o json');
    expect(Object.keys(json()[0])).toEqual([
      'id',
      'login',
      'username',
      'displayName',
      'status',
      'passwordChangedAt',
      'lastSeenAt',
      'createdAt',
    ]);
    expect((await run('admin list -q')).lines).toHaveLength(4);
  });

  test('reset-password changes the hash and ends the sessions', async () => {
    const { id } = (await run('admin list -o json')).json()[0];
    await insertSession(id);
    const { json } = await run('admin reset-password root --generate -o json');
    expect(await verify(await hashOf('root'), json().password)).toBe(true);
    expect(await db('sessions').where({ user_id: id })).toEqual([]);
    expect((await run('admin reset-password nobody --generate')).code).toBe(EXIT.notFound);
  });

  test('disable ends the sessions and may be said twice; the last administrator stays', async () => {
    const { id } = (await run('admin list -o json')).json()[0];
    await insertSession(id);
    expect((await run('admin disable root -o json')).json().status).toBe('disabled');
    expect(await db('sessions').where({ user_id: id })).toEqual([]);
    expect((await run('admin disable root')).code).toBe(EXIT.ok);
    await run('admin disable second');
    await run('admin disable third');
    const last = await run('admin disable ann');
    expect([last.code, last.stderr]).toEqual([EXIT.conflict, 'The last administrator cannot be removed\n']);
    expect((await run('admin enable root -o json')).json().status).toBe('active');
  });

  test('every change names the operator, never a password', async () => {
    const entries = await db('audit_log').whereLike('action', 'admin.%');
    expect(entries.length).toBeGreaterThan(6);
    expect(entries.every(({ actor }) => /^cli:.+@/.test(actor))).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(PASSWORD);
  });
});
