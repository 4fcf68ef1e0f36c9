import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint, openCliDatabase } from '../../test/harness/cli.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
await run('seed categories');
const app = { db };
const [ann, bob, eve] = [
  await insertUser(app, { username: 'ann', display_name: '=1+1' }),
  await insertUser(app, { username: 'bob', display_name: 'Bob\u001B[2J' }),
  await insertUser(app, { username: 'eve' }),
];
const [books] = await db('categories').where({ slug: 'books' });
const [ad] = await db('ads')
  .insert({ user_id: ann.id, category_id: books.id, title: 'Atlas', description: 'Old', price: 5 })
  .returning(['id']);
await db('sessions').insert({
  sid_hash: Buffer.alloc(32, 1),
  user_id: ann.id,
  kind: 'x',
  data: {},
  expires_at: db.raw("now() + interval '1 day'"),
});
const EVERYTHING = ['users', 'ads', 'sessions', 'audit_log', 'favorites'];
const lastAudit = async () => (await db('audit_log').orderBy('id', 'desc').first())!;

describe('marketctl user list, show', () => {
  test('pages follow one another; --all prints every row once', async () => {
    const first = await run('user list --limit 2 -q');
    expect(first.lines).toEqual([eve.id, bob.id]);
    const page = await run('user list --limit 2');
    const cursor = /--cursor (\d+)/.exec(page.stderr)![1];
    expect((await run(`user list --limit 2 --cursor ${cursor} -q`)).lines).toEqual([ann.id]);
    expect((await run('user list --limit 1 --all -q')).lines).toEqual([eve.id, bob.id, ann.id]);
    expect((await run('user list --limit 1 --all -o ndjson')).lines.map((line) => JSON.parse(line).id)).toHaveLength(3);
  });

  test('names that would steer a terminal or a spreadsheet do not', async () => {
    expect((await run('user list --search bob')).stdout).toContain('Bob\\u001b[2J');
    expect((await run('user show ann -o csv --fields displayName')).stdout).toBe("displayName\r\n'=1+1\r\n");
  });

  test('show takes an id or a handle in any case; an unknown one is exit code 5', async () => {
    for (const who of [ann.id, '@Ann', 'ann']) expect((await run(`user show ${who} -o json`)).json().id).toBe(ann.id);
    for (const who of ['nobody', '99999999999999999999', '0'])
      expect((await run(`user show ${who}`)).code).toBe(EXIT.notFound);
    expect((await run('user list --role king')).code).toBe(EXIT.usage);
  });
});

test('marketctl user show says where mail goes, and whether it does', async () => {
  const { id } = await insertUser(app, { username: 'mia' });
  const show = async () => {
    const { mailAddress, mailState } = (await run('user show mia -o json')).json();
    return [mailState, mailAddress];
  };
  expect(await show()).toEqual(['none', null]);
  const now = db.fn.now();
  const pending = { pending_address: 'mia@mail.example', pending_id: randomUUID(), pending_until: now };
  await db('email_addresses').insert({ user_id: id, ...pending });
  expect(await show()).toEqual(['pending', 'mia@mail.example']);
  const none = { pending_address: null, pending_id: null, pending_until: null };
  const confirmed = { address: 'mia@mail.example', confirmed_at: now, uses_x: false };
  await db('email_addresses').update({ ...none, ...confirmed });
  expect(await show()).toEqual(['confirmed', 'mia@mail.example']);
  await db('email_addresses').update({ paused_at: now });
  expect(await show()).toEqual(['paused', 'mia@mail.example']);
  await db('email_addresses').update({ refused_address: 'mia@mail.example', refusal: 'No', refused_at: now });
  expect(await show()).toEqual(['refused', 'mia@mail.example']);
  await db('email_addresses').delete();
  await db('users').where({ id }).delete();
});

describe('marketctl user ban, unban', () => {
  test('--dry-run prints the same and changes nothing', async () => {
    const before = await fingerprint(db, ...EVERYTHING);
    const { code, json, stderr } = await run('user ban @ann --reason fakes --dry-run -o json');
    expect([code, json()[0].result]).toEqual([EXIT.ok, 'banned']);
    expect(stderr).toContain('Dry run');
    expect(await fingerprint(db, ...EVERYTHING)).toBe(before);
  });

  test('--dry-run tries again where Postgres wants that, as the ban itself does', async () => {
    // a sequence is not rolled back
    await db.raw(`create sequence tries;
      create function fail_once() returns trigger language plpgsql as
        $$ begin if nextval('tries') = 1 then raise exception 'once' using errcode = '40P01'; end if; return new; end $$;
      create trigger fail_once before update on users for each row execute function fail_once()`);
    const { code, json } = await run('user ban @ann --dry-run -o json');
    await db.raw('drop function fail_once cascade; drop sequence tries');
    expect([code, json()]).toMatchObject([EXIT.ok, [{ result: 'banned' }]]);
  });

  test('a ban ends sessions, hides ads and names the operator', async () => {
    const { code, json } = await run('user ban @ann --reason fakes -o json');
    expect([code, json()]).toEqual([EXIT.ok, [{ id: ann.id, target: '@ann', result: 'banned', error: null }]]);
    expect(await db('sessions')).toEqual([]);
    expect(await db('ads').where({ id: ad!.id }).first('listed')).toEqual({ listed: false });
    const entry = await lastAudit();
    expect(entry).toMatchObject({ action: 'user.ban', target_id: ann.id, details: { reason: 'fakes' } });
    expect(entry.actor).toMatch(/^cli:.+@/);
  });

  test('a ban, its end and a deletion change every ad before they report', async () => {
    const big = await insertUser(app, { username: 'big' });
    await db.raw(
      `insert into ads (user_id, category_id, title, description, price)
       select ?, category_id, title, description, price from ads, generate_series(1, 1200) where id = ?`,
      [big.id, ad!.id],
    );
    const count = async (where: object) =>
      Number(
        (
          await db('ads')
            .where({ user_id: big.id, ...where })
            .count()
        )[0]!.count,
      );
    expect((await run('user ban @big -o json')).json()[0].result).toBe('banned');
    expect(await count({ listed: true })).toBe(0);
    expect((await run('user unban @big -o json')).json()[0].result).toBe('unbanned');
    expect(await count({ listed: true })).toBe(1200);
    expect((await run('user delete @big --yes --dry-run -o json')).json().ads).toBe(1200);
    expect(await count({ listed: true })).toBe(1200);
    expect((await run('user delete @big --yes -o json')).json().ads).toBe(1200);
    expect(await count({ state: 'deleted' })).toBe(1200);
  });

  test('a second ban is no error and changes nothing', async () => {
    const before = await fingerprint(db, ...EVERYTHING);
    expect((await run('user ban ann -o json')).json()[0].result).toBe('already banned');
    expect(await fingerprint(db, ...EVERYTHING)).toBe(before);
  });

  test('several want a yes; one that fails does not stop the others, and ends with 9', async () => {
    expect((await run(`user ban ${bob.id} ${eve.id}`)).code).toBe(EXIT.notConfirmed);
    const { code, json, stderr } = await run(`user ban ${bob.id} nobody - --yes -o json`, {
      stdin: `${eve.id}\n${eve.id}\n`,
    });
    expect([code, stderr]).toEqual([EXIT.partial, '1 of 3 failed.\n']);
    expect(json().map((row: { result: string }) => row.result)).toEqual(['banned', 'failed', 'banned']);
    expect((await run('user list --banned -q')).lines).toHaveLength(3);
  });

  test('--from-file names them; -q prints ids of those that went well', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'ids');
    writeFileSync(file, `${bob.id}\n@eve\nnobody\n`);
    const { code, lines } = await run(`user unban x --from-file ${file} --yes -q`);
    expect([code, lines]).toEqual([EXIT.partial, [bob.id, eve.id]]);
    expect((await run('user ban x --from-file /nowhere --yes')).code).toBe(EXIT.notFound);
  });

  test('unban brings the ads back, twice is no error', async () => {
    expect((await run('user unban @ann -o json --reason appealed')).json()[0].result).toBe('unbanned');
    expect(await db('ads').where({ id: ad!.id }).first('listed')).toEqual({ listed: true });
    expect((await lastAudit()).details.reason).toBe('appealed');
    expect((await run('user unban @ann -o json')).json()[0].result).toBe('was not banned');
  });
});

describe('marketctl user warn', () => {
  test('records the warning with its reason; refuses a banned user and a long note', async () => {
    expect((await run('user warn @bob --for duplicate --note Twice --reason ticket-8')).code).toBe(EXIT.ok);
    const decision = await db('decisions').where({ person_id: bob.id }).first();
    expect(decision).toMatchObject({ action: 'warn', reason: 'duplicate', note: 'Twice' });
    expect(await db('notifications').where({ user_id: bob.id, kind: 'decision' }).orderBy('id').pluck('title')).toEqual(
      ['Your account is banned', 'You received a warning'],
    );
    expect(await lastAudit()).toMatchObject({ action: 'user.warn', details: { for: 'duplicate', reason: 'ticket-8' } });
    expect((await run(`user warn @bob --note ${'x'.repeat(501)}`)).code).toBe(EXIT.usage);
    expect((await run('user warn @bob @eve')).code).toBe(EXIT.notConfirmed);
    await run('user ban @eve');
    expect((await run('user warn @eve')).code).toBe(EXIT.conflict);
    await run('user unban @eve');
    await db('decisions').where({ person_id: bob.id }).delete();
  });
});

describe('marketctl user suspend', () => {
  test('--dry-run prints the same and changes nothing', async () => {
    const before = await fingerprint(db, ...EVERYTHING, 'decisions', 'notifications');
    const { code, json, stderr } = await run('user suspend @ann --days 7 --for scam --dry-run -o json');
    expect([code, json()[0].result]).toEqual([EXIT.ok, 'suspended']);
    expect(stderr).toContain('Dry run');
    expect(await fingerprint(db, ...EVERYTHING, 'decisions', 'notifications')).toBe(before);
  });

  test('hides ads until then, says why, and is ended by unban', async () => {
    const { code } = await run('user suspend @ann --days 7 --for scam --note Prepayment --reason ticket-7');
    expect(code).toBe(EXIT.ok);
    const { suspended_until: until } = await db('users').where({ id: ann.id }).first();
    expect(Date.parse(until)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    expect(await db('ads').where({ id: ad!.id }).first('listed')).toEqual({ listed: false });
    const decision = await db('decisions').where({ person_id: ann.id }).first();
    expect(decision).toMatchObject({ action: 'suspend', reason: 'scam', note: 'Prepayment', days: 7, until });
    const entry = await lastAudit();
    expect(entry).toMatchObject({ action: 'user.suspend', details: { days: 7, for: 'scam', reason: 'ticket-7' } });
    expect((await run('user list --suspended -q')).lines).toEqual([ann.id]);
    expect((await run('user show @ann -o json')).json()).toMatchObject({ status: 'suspended', suspendedUntil: until });

    await run('user suspend @ann --days 1');
    expect(await db('users').where({ id: ann.id }).first('suspended_until')).toEqual({ suspended_until: until });

    expect((await run('user unban @ann -o json')).json()[0].result).toBe('unbanned');
    expect(await db('ads').where({ id: ad!.id }).first('listed')).toEqual({ listed: true });
    expect(await db('decisions').whereNull('ended_at')).toEqual([]);
    expect((await run('user list --suspended -q')).lines).toEqual([]);
  });

  test('takes only days and reasons that exist, and no banned person', async () => {
    for (const line of ['user suspend @ann', 'user suspend @ann --days 2', 'user suspend @ann --days 1 --for boredom'])
      expect([line, (await run(line)).code]).toEqual([line, EXIT.usage]);
    expect((await run(`user suspend @ann --days 1 --note ${'x'.repeat(501)}`)).code).toBe(EXIT.usage);
    expect((await run('user list --banned --suspended')).code).toBe(EXIT.usage);
    await run('user ban @eve');
    expect((await run('user suspend @eve --days 1')).code).toBe(EXIT.conflict);
    await run('user unban @eve');
  });
});

describe('marketctl user role', () => {
  test('raises and lowers; a lower role ends the sessions', async () => {
    expect((await run('user role @bob moderator --reason helps -o json')).json()[0].result).toBe('moderator');
    expect(await lastAudit()).toMatchObject({
      action: 'user.role',
      details: { before: 'user', after: 'moderator', reason: 'helps' },
    });
    expect((await run('user list --role moderator -q')).lines).toEqual([bob.id]);
    expect((await run('user role @bob moderator -o json')).json()[0].result).toBe('was moderator already');
    expect((await run('user revoke @bob admin')).stderr).toContain('does not have that grant.');
    const session = { user_id: bob.id, kind: 'x', data: {}, expires_at: db.raw("now() + interval '1 day'") };
    await db('sessions').insert({ sid_hash: Buffer.alloc(32, 2), ...session });
    expect((await run('user role @bob user --dry-run -o json')).json()[0].result).toBe('user');
    expect(await db('sessions').where({ user_id: bob.id })).toHaveLength(1);
    expect((await run('user role @bob user')).code).toBe(EXIT.ok);
    expect(await db('sessions').where({ user_id: bob.id })).toEqual([]);
  });

  test('several want a yes, a role that does not exist is refused, and so is a suspended person', async () => {
    expect((await run('user role - moderator', { stdin: '@bob @eve' })).code).toBe(EXIT.notConfirmed);
    expect((await run('user role @bob king')).code).toBe(EXIT.usage);
    await run('user suspend @eve --days 1');
    const { code, json } = await run('user role - moderator --yes -o json', { stdin: '@bob @eve' });
    expect([code, json().map(({ result }: { result: string }) => result)]).toEqual([
      EXIT.partial,
      ['moderator', 'failed'],
    ]);
    await run('user role @bob user');
    await run('user unban @eve');
  });
});

describe('marketctl user grant, revoke', () => {
  test.each(['link-out', 'admin'])('%s is granted and revoked, each once', async (grant) => {
    if (grant === 'admin') await run('admin create root --generate');
    for (const verb of ['grant', 'revoke']) {
      expect((await run(`user ${verb} @ann ${grant} -o json`)).json()).toMatchObject({
        granted: verb === 'grant',
        changed: true,
      });
      const before = await fingerprint(db, ...EVERYTHING);
      const again = await run(`user ${verb} @ann ${grant} -o json`);
      const words = verb === 'grant' ? 'has that grant already' : 'does not have that grant';
      expect([again.code, again.json().changed]).toEqual([EXIT.ok, false]);
      expect(again.stderr).toBe(`Nothing changed: the user ${words}.\n`);
      expect(await fingerprint(db, ...EVERYTHING)).toBe(before);
    }
  });

  test('the last administrator keeps the role and cannot be banned or deleted', async () => {
    const root = (await run('admin list -q')).lines[0];
    for (const line of [
      `user revoke ${root} admin`,
      `user role ${root} moderator`,
      `user suspend ${root} --days 1`,
      `user ban ${root}`,
      `user delete ${root} --yes`,
    ]) {
      const { code, stderr } = await run(line);
      expect([line, code, stderr]).toEqual([line, EXIT.conflict, 'The last administrator cannot be removed\n']);
    }
    expect((await run('user grant ann crown')).code).toBe(EXIT.usage);
  });
});

describe('marketctl user export, delete', () => {
  test('export prints everything about a person, or writes it to a private file', async () => {
    const { json } = await run('user export @ann');
    expect(json()).toMatchObject({ profile: { id: ann.id }, ads: [{ title: 'Atlas' }] });
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'ann.json');
    expect((await run(`user export @ann --out ${file}`)).stdout).toBe('');
    expect(JSON.parse(readFileSync(file, 'utf8')).profile.id).toBe(ann.id);
    expect((await run('user export nobody')).code).toBe(EXIT.notFound);
    expect((await run('user export ann --out /nowhere/x')).code).toBe(EXIT.notFound);
  });

  test('who was deleted while banned is let in again by the X id', async () => {
    const gone = await insertUser(app, { username: 'gone', x_id: '4711' });
    await run('user ban @gone --reason fakes');
    await run('user delete @gone --yes');
    expect(await db('banned_x_accounts').count()).toEqual([{ count: '1' }]);
    expect(await db('users').where({ id: gone.id }).first('x_id')).toEqual({ x_id: null });
    expect((await run('user unban --x-id 4711 --dry-run -o json')).json()[0].result).toBe('unbanned');
    expect((await run('user unban --x-id 4711 --reason appealed -o json')).json()).toEqual([
      { id: null, target: '4711', result: 'unbanned', error: null },
    ]);
    expect(await lastAudit()).toMatchObject({ action: 'user.unban', details: { reason: 'appealed', deleted: true } });
    expect((await run('user unban --x-id 4711')).code).toBe(EXIT.notFound);
    expect((await run('user unban --x-id @gone')).code).toBe(EXIT.usage);
    expect((await run('user unban @ann --x-id 4711')).code).toBe(EXIT.usage);
    expect((await run('user unban')).code).toBe(EXIT.usage);
  });

  test('delete wants a yes, can be tried, and leaves a row without a person', async () => {
    const before = await fingerprint(db, ...EVERYTHING);
    expect((await run('user delete @ann')).code).toBe(EXIT.notConfirmed);
    expect((await run('user delete @ann --dry-run -o json')).json()).toEqual({ id: ann.id, username: 'ann', ads: 1 });
    expect(await fingerprint(db, ...EVERYTHING)).toBe(before);
    expect((await run('user delete @ann --yes --reason asked')).code).toBe(EXIT.ok);
    expect(await db('users').where({ id: ann.id }).first('username', 'display_name')).toEqual({
      username: null,
      display_name: 'Deleted user',
    });
    expect(await lastAudit()).toMatchObject({ action: 'user.delete', details: { reason: 'asked' } });
    expect((await run(`user delete ${ann.id} --yes`)).code).toBe(EXIT.notFound);
  });
});
