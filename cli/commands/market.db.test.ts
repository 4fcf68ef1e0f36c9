import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint, openCliDatabase } from '../../test/harness/cli.ts';
import { insertEmptyConversation, insertUser } from '../../test/harness/factories.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
await run('seed categories');
const seller = await insertUser({ db }, { username: 'seller' });
const [books] = await db('categories').where({ slug: 'books' });
const insertAd = async (title: string, state = 'active'): Promise<string> =>
  (
    await db('ads')
      .insert({ user_id: seller.id, category_id: books.id, title, description: 'D', price: 5, state })
      .returning('id')
  )[0].id;
const [atlas, globe] = [await insertAd('Atlas'), await insertAd('Globe', 'pending')];

describe('marketctl ad', () => {
  test('list filters by state, seller, category and words', async () => {
    expect((await run('ad list -q')).lines).toEqual([globe, atlas]);
    expect((await run('ad list --state pending -q')).lines).toEqual([globe]);
    expect((await run('ad list --search atlas -q')).lines).toEqual([atlas]);
    expect((await run('ad list --user @seller --category Books -q')).lines).toHaveLength(2);
    expect((await run('ad list --category nothing')).code).toBe(EXIT.notFound);
    expect(Object.keys((await run('ad list -o json')).json()[0])).toContain('stateReason');
  });

  test('show prints every column of an ad, except those named here', async () => {
    const hidden = {
      category_id: 'its slug is printed',
      seller_banned: 'of the user',
      listed: 'printed as isListed',
      is_approved: 'follows from state',
      moderation: 'follows from state and stateReason',
      taken_down: 'follows from state and stateReason',
      sold_at: 'isSold is printed',
      sold_listed_until: 'isListed is printed',
      deleted_at: 'a deleted ad is not shown',
      tsv: 'for the search alone',
      has_photos: 'the photos are printed',
      is_paused: 'follows from state',
    };
    const columns = Object.keys(await db('ads').columnInfo());
    const toField = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const printed = Object.keys((await run(`ad show ${atlas} -o json`)).json());
    const expected = columns.filter((column) => !(column in hidden)).map(toField);
    expect(expected.filter((field) => !printed.includes(field))).toEqual([]);
    expect(Object.keys(hidden).filter((column) => !columns.includes(column))).toEqual([]);
  });

  test('show names for whom an ad is reserved and to whom it is sold', async () => {
    const [holder, buyer] = [await insertUser({ db }), await insertUser({ db })];
    const ends_at = db.raw("now() + interval '7 days'");
    await insertEmptyConversation({ db }, { ad_id: atlas, seller_id: seller.id, buyer_id: holder.id });
    await insertEmptyConversation({ db }, { ad_id: globe, seller_id: seller.id, buyer_id: buyer.id });
    await db('reservations').insert({ ad_id: atlas, user_id: holder.id, ends_at });
    await db('deals').insert({ ad_id: globe, seller_id: seller.id, buyer_id: buyer.id, ends_at });
    const show = async (id: string) => (await run(`ad show ${id} -o json`)).json();
    expect(await show(atlas)).toMatchObject({ reservedFor: holder.username, buyer: null });
    expect(await show(globe)).toMatchObject({ reservedFor: null, reservedUntil: null, buyer: buyer.username });
    await db('reservations').update({ created_at: db.raw("now() - interval '8 days'"), ends_at: db.fn.now() });
    expect(await show(atlas)).toMatchObject({ reservedFor: null, reservedUntil: null });
  });

  test('activate and deactivate may be said twice; --dry-run changes nothing', async () => {
    const before = await fingerprint(db, 'ads', 'audit_log');
    await run(`ad activate ${globe} --dry-run`);
    expect(await fingerprint(db, 'ads', 'audit_log')).toBe(before);
    expect((await run(`ad activate ${globe} -o json`)).json()[0].result).toBe('active');
    expect((await run(`ad deactivate ${globe} --reason blurry`)).code).toBe(EXIT.ok);
    const after = await fingerprint(db, 'ads', 'audit_log');
    expect((await run(`ad deactivate ${globe} -o json`)).json()[0].result).toBe('already inactive');
    expect(await fingerprint(db, 'ads', 'audit_log')).toBe(after);
    expect((await run(`ad show ${globe} -o json`)).json()).toMatchObject({ state: 'inactive', stateReason: 'blurry' });
    expect((await run('ad activate 424242')).code).toBe(EXIT.notFound);
  });

  test('--if-version activates and deactivates only the ad that was read', async () => {
    const { updatedAt, state } = (await run(`ad show ${globe} -o json`)).json();
    await db('ads').where({ id: globe }).update({ updated_at: db.fn.now() });
    const verb = state === 'active' ? 'deactivate' : 'activate';
    expect((await run(`ad ${verb} ${globe} --if-version ${updatedAt}`)).code).toBe(EXIT.conflict);
    const now = (await run(`ad show ${globe} -o json`)).json();
    expect(now.state).toBe(state);
    expect((await run(`ad ${verb} ${globe} --if-version ${now.updatedAt}`)).code).toBe(EXIT.ok);
  });

  test('--dry-run of several tells what each would be, also after one that the database refuses', async () => {
    await db.raw(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = 'unique_violation'; end $$`);
    await db.raw(
      `create trigger refuse after update on ads for each row when (new.id = ${atlas}) execute function refuse()`,
    );
    const line = `ad deactivate ${atlas} ${globe} --reason torn --yes -o json`;
    const tried = await run(`${line} --dry-run`);
    const done = await run(line);
    await db.raw('drop function refuse cascade');
    expect(tried.json()).toMatchObject([{ id: null, result: 'failed' }, { id: globe }]);
    expect([tried.code, tried.json()]).toEqual([done.code, done.json()]);
  });

  test('delete wants a yes and leaves a tombstone; a second time there is nothing', async () => {
    expect((await run(`ad delete ${globe}`)).code).toBe(EXIT.notConfirmed);
    expect((await run(`ad delete ${globe} --yes --reason stolen`)).code).toBe(EXIT.ok);
    expect((await run(`ad show ${globe} -o json`)).json()).toMatchObject({ state: 'deleted', title: '' });
    expect((await run(`ad delete ${globe} --yes`)).code).toBe(EXIT.notFound);
    expect((await run('ad delete x --yes')).code).toBe(EXIT.notFound);
  });
});

describe('marketctl contact', () => {
  test('lists newest first and exports all of it as CSV, formulas defused', async () => {
    for (const n of [1, 2, 3])
      await db('contact_messages').insert({
        name: `=cmd${n}`,
        email: 'a@b.example',
        subject: 'S',
        message: 'two\nlines',
      });
    expect((await run('contact list --limit 2 -o json')).json().map((row: { name: string }) => row.name)).toEqual([
      '=cmd3',
      '=cmd2',
    ]);
    const { stdout, code } = await run('contact export');
    expect([code, stdout.split('\r\n')[0]]).toEqual([
      EXIT.ok,
      'id,createdAt,name,email,subject,message,userId,mailedAt',
    ]);
    expect(stdout).toContain("'=cmd3");
    expect(stdout).toContain('"two\nlines"');
    expect((await run('contact export -o ndjson')).lines).toHaveLength(3);
    expect((await run('contact list --since 2999-01-01')).stdout).toBe('');
    const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'contact.csv');
    await run(`contact export --out ${file}`);
    expect(readFileSync(file, 'utf8')).toBe(`\uFEFF${stdout}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test('marketctl contact delete deletes a message, and the audit says who did it', async () => {
  const insert = () =>
    db('contact_messages')
      .insert({ name: 'Ann', email: 'a@b.example', subject: 'S', message: 'M' })
      .returning<{ id: string }[]>('id');
  const [[first], [second]] = [await insert(), await insert()];
  const some = await run(['contact', 'delete', first!.id, '9999999', 'x', '--yes', '--reason', 'asked', '-o', 'json']);
  expect(some.json().map(({ target, result }: Record<string, string>) => [target, result])).toEqual([
    [first!.id, 'deleted'],
    ['9999999', 'failed'],
    ['x', 'failed'],
  ]);
  const left = await db('contact_messages').pluck('id');
  expect(left).toContain(second!.id);
  expect(left).not.toContain(first!.id);
  const entry = (await run('audit list --action contact -o json')).json()[0];
  expect(entry).toMatchObject({ action: 'contact.delete', targetId: first!.id, details: { reason: 'asked' } });
  expect((await run(['contact', 'delete', second!.id])).code).toBe(EXIT.notConfirmed);
  expect(await db('contact_messages').pluck('id')).toContain(second!.id);
});

describe('a text that would steer the terminal', () => {
  // clears the screen, sets the title, moves the cursor (8 bits), turns the direction of writing, forges a line
  const HOSTILE = '\u001B[2J\u001B]0;owned\u0007\u009B1A\u202Egpj\u2028\r\nroot  active';
  const STEERS = /(?![\r\n])\p{Cc}|\p{Bidi_Control}|\u2028/u;

  test('is written out by every command that prints what people wrote, in every format', async () => {
    await db('contact_messages').insert({ name: HOSTILE, email: 'a@b.example', subject: HOSTILE, message: HOSTILE });
    const hostile = await insertUser({ db }, { username: 'hostile', display_name: HOSTILE });
    await run(['user', 'ban', HOSTILE, hostile.id, '--yes', '--reason', HOSTILE]);
    const ad = { user_id: hostile.id, category_id: books.id, title: 'T', location: HOSTILE, description: HOSTILE };
    const [{ id }] = await db('ads')
      .insert({ ...ad, price: 1, state_reason: HOSTILE })
      .returning('id');
    await db('categories').where({ slug: 'toys' }).update({ emoji: '\u001B[2J' });
    await db('sessions').insert({
      sid_hash: Buffer.alloc(32, 9),
      user_id: hostile.id,
      kind: 'x',
      data: {},
      expires_at: db.raw("now() + interval '1 day'"),
    });
    await run(['settings', 'set', 'bannedWords', HOSTILE, '--reason', HOSTILE]);
    const lines = ['contact list', 'user list', 'user show hostile', 'ad list', `ad show ${id}`, 'category list'];
    for (const line of [
      ...lines,
      'session list',
      'settings get',
      'audit list',
      'contact export',
      'user export hostile',
    ])
      for (const format of ['table', 'json', 'ndjson', 'csv']) {
        const { stdout, stderr, code } = await run(`${line} -o ${format} --no-color`, { columns: 200 });
        expect([line, format, code, STEERS.test(stdout + stderr)]).toEqual([line, format, EXIT.ok, false]);
      }
    expect((await run('contact list')).stdout).toContain('\\u001b[2J\\u001b]0;owned\\u0007\\u009b1A\\u202egpj');
    const asked = await run(['user', 'show', HOSTILE]);
    expect([asked.code, STEERS.test(asked.stderr)]).toEqual([EXIT.notFound, false]);
    await db('ads').where({ id }).delete();
    await db('sessions').delete();
  });
});

describe('marketctl report', () => {
  test('shows what the price of a reported ad means, also that of an older case', async () => {
    const title = 'Reported sofa';
    const [ad] = await db('ads')
      .insert({ user_id: seller.id, category_id: books.id, title, description: 'D', price: 0, price_type: 'free' })
      .returning(['id']);
    const reported = { about: 'ad', title, text: 'D', price: '80.00', category: 'Books', images: [], messages: [] };
    const [{ id }] = await db('moderation_cases')
      .insert({ target_type: 'ad', target_id: ad.id, person_id: seller.id, reported })
      .returning('id');
    const { stdout } = await run(`report show ${id}`);
    expect(stdout).toContain('$80, Books');
    expect(stdout).toContain('Free, Books');
    await db('moderation_cases').where({ id }).delete();
    await db('ads').where({ id: ad.id }).delete();
  });

  test('shows a case, refuses what is no decision, and resolves it once', async () => {
    const person = await insertUser({ db }, { username: 'reported' });
    const reported = { about: 'user', title: 'Reported', text: '@reported', images: [], messages: [] };
    const [{ id }] = await db('moderation_cases')
      .insert({ target_type: 'user', target_id: person.id, person_id: person.id, weight: 2, reported })
      .returning('id');
    expect((await run('report list -q')).stdout).toBe(`${id}\n`);
    expect((await run(`report show ${id} -o json`)).json()).toMatchObject({
      username: 'reported',
      weight: 2,
      actions: ['dismiss', 'warn', 'suspend', 'ban'],
    });
    const shown = (await run(`report show ${id}`)).lines.map((line) => line.trim());
    expect(shown.slice(shown.findIndex((line) => line.startsWith('now')))).toEqual([
      expect.stringMatching(/^now {9}Person/),
      '/users/reported',
      '@reported',
      'isEdited    true',
      'version',
      'history     adsRemoved 0, warnings 0, suspensions 0, openCases 1',
      'appeal',
      'decision',
      'actions     dismiss, warn, suspend, ban',
    ]);
    for (const [line, code] of [
      ['report show 9', EXIT.notFound],
      ['report resolve 9 --action dismiss', EXIT.notFound],
      [`report resolve ${id}`, EXIT.usage],
      [`report resolve ${id} --action suspend --yes`, EXIT.usage],
      [`report resolve ${id} --action warn --days 7 --yes`, EXIT.usage],
      [`report resolve ${id} --action warn --for boredom --yes`, EXIT.usage],
      [`report resolve ${id} --action warn`, EXIT.notConfirmed],
    ] as const)
      expect([line, (await run(line)).code]).toEqual([line, code]);
    const resolve = `report resolve ${id} --action suspend --days 7 --for scam --reason checked --yes`;
    expect((await run(resolve)).code).toBe(EXIT.ok);
    const [entry] = await db('audit_log').where({ action: 'report.decide' }).orderBy('id', 'desc');
    expect(entry).toMatchObject({ target_id: person.id, details: { action: 'suspend', days: 7, reason: 'checked' } });
    const again = await run(resolve);
    expect([again.code, again.stderr]).toEqual([EXIT.conflict, expect.stringContaining('The operator')]);
    expect((await run('report list --status decided -o json')).json()).toMatchObject([{ id, action: 'suspend' }]);
  });
});

describe('marketctl settings', () => {
  test('get prints all or one; set takes effect at once and is audited', async () => {
    expect((await run('settings get -o json')).json()).toHaveLength(11);
    expect((await run('settings get moderationMode --fields value --no-headers')).stdout).toBe('automatic\n');
    expect((await run('settings set moderationMode manual -o json --reason spam')).json()).toEqual([
      { key: 'moderationMode', value: 'manual' },
    ]);
    expect(
      await db('audit_log').where({ action: 'settings.update' }).orderBy('id', 'desc').first('details'),
    ).toMatchObject({
      details: { before: { moderationMode: 'automatic' }, after: { moderationMode: 'manual' }, reason: 'spam' },
    });
    const before = await fingerprint(db, 'settings', 'audit_log');
    expect((await run('settings set moderationMode manual')).code).toBe(EXIT.ok);
    await run('settings set maxImagesPerAd 2 --dry-run');
    expect(await fingerprint(db, 'settings', 'audit_log')).toBe(before);
    expect((await run('settings set distanceUnit miles -o json')).json()).toEqual([
      { key: 'distanceUnit', value: 'miles' },
    ]);
    expect((await run('settings get distanceUnit --fields value --no-headers')).stdout).toBe('miles\n');
    for (const value of ['US', ''])
      expect((await run(['settings', 'set', 'homeCountry', value, '-o', 'json'])).json()).toEqual([
        { key: 'homeCountry', value },
      ]);
  });

  test('a wrong key or value is a usage error with a hint', async () => {
    for (const [key, value] of [
      ['maxImagesPerAd', '9'],
      ['maxImagesPerAd', ''],
      ['moderationMode', 'x'],
      ['distanceUnit', 'furlongs'],
      ['homeCountry', 'USA'],
      ['homeCountry', 'us'],
      ['maxAdDurationDays', '1.5'],
      ['reportHoldWeight', '1001'],
      ['reportHoldWeight', ' '],
      ['reportHoldWeight', '0x10'],
      ['nothing', '1'],
    ])
      expect((await run(['settings', 'set', key!, value!])).code, `${key} ${value}`).toBe(EXIT.usage);
    expect((await run(['settings', 'set', 'bannedWords', 'a, b,,c', '-o', 'json'])).json()[0].value).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});

describe('marketctl session', () => {
  const insertSession = (n: number, age: string) =>
    db('sessions').insert({
      sid_hash: Buffer.alloc(32, n),
      user_id: seller.id,
      kind: 'x',
      data: {},
      created_at: db.raw(`now() - interval '${age}'`),
      last_seen_at: db.raw(`now() - interval '${age}'`),
      expires_at: db.raw("now() + interval '1 day'"),
    });

  test('list shows who is signed in, never a session id', async () => {
    await insertSession(1, '1 hour');
    await insertSession(2, '13 days');
    await insertSession(3, '60 days');
    const { json, stdout } = await run('session list --user @seller -o json');
    expect(json()).toHaveLength(3);
    expect(stdout).not.toMatch(/0101|AQEB/);
    expect((await run('session list --limit 1 --all -q')).lines).toHaveLength(3);
  });

  test('gc removes what has ended by itself; a second time nothing', async () => {
    expect((await run('session gc --dry-run -o json')).json()).toEqual({ removed: 1 });
    expect((await run('session gc -o json')).json()).toEqual({ removed: 1 });
    expect((await run('session gc -o json')).json()).toEqual({ removed: 0 });
  });

  test('revoke takes a user or all, old ones or every one', async () => {
    expect((await run('session revoke')).code).toBe(EXIT.usage);
    expect((await run('session revoke --all')).code).toBe(EXIT.notConfirmed);
    expect((await run('session revoke --all --older-than 7d --yes -o json')).json()).toEqual({ revoked: 1 });
    expect((await run('session revoke --user @seller -o json --reason stolen')).json()).toEqual({ revoked: 1 });
    expect((await run('session revoke --user @seller -o json')).json()).toEqual({ revoked: 0 });
    expect(await db('audit_log').where({ action: 'session.revoke' }).count()).toEqual([{ count: '2' }]);
  });
});

describe('marketctl jobs', () => {
  test('run does a periodic job now; one that is not known is 5', async () => {
    expect((await run('jobs run expire-ads -o json')).json()).toMatchObject({ name: 'expire-ads', status: 'done' });
    expect((await run('jobs run expire-ads')).code).toBe(EXIT.ok);
    const unknown = await run('jobs run nothing');
    expect([unknown.code, unknown.stderr]).toEqual([EXIT.notFound, expect.stringContaining('expire-ads')]);
    expect((await run('jobs run expire-ads --daemon')).code).toBe(EXIT.usage);
  });

  test('run without a name does what is due, and says how each went', async () => {
    // what the commands above enqueued
    await run('jobs run');
    expect((await run('jobs run')).stderr).toBe('Nothing was due.\n');
    await db.raw(`select graphile_worker.add_job('fold-counters', '{}')`);
    await db.raw(`select graphile_worker.add_job('mail-contact', '{"contactMessageId":"no number"}')`);
    await db.raw(`select graphile_worker.add_job('fold-counters', '{}', run_at := now() + interval '1 day')`);
    const planned = (await run('jobs run --dry-run -o json')).json();
    expect(planned.map(({ name, status }: Record<string, unknown>) => `${name} ${status}`)).toEqual([
      'fold-counters would run',
      'mail-contact would run',
    ]);
    const { code, json, stderr } = await run('jobs run -o json');
    expect([code, stderr]).toEqual([
      EXIT.partial,
      '1 of 2 failed.\n"marketctl jobs list" says which are tried again, and when.\n',
    ]);
    expect(json().map(({ name, status }: Record<string, unknown>) => `${name} ${status}`)).toEqual([
      'fold-counters done',
      'mail-contact failed',
    ]);
    expect(json()[1].error).toMatch(/./);
    await db.raw('delete from graphile_worker._private_jobs');
    expect((await run('jobs run --dry-run --daemon')).code).toBe(EXIT.usage);
  });

  test('list shows what waits and what failed; retry resets its attempts', async () => {
    await db.raw(
      `select graphile_worker.add_job('mail-contact', '{"contactMessageId":"1"}', run_at := now() + interval '1 day', max_attempts := 1)`,
    );
    await db.raw('update graphile_worker._private_jobs set attempts = 1, last_error = ?', ['no\nmail']);
    const [job] = (await run('jobs list --state failed -o json')).json();
    expect(job).toMatchObject({ name: 'mail-contact', state: 'failed', attempts: 1, lastError: 'no\nmail' });
    expect((await run('jobs retry --failed --dry-run -q')).lines).toEqual([job.id]);
    expect((await run('jobs list --state failed -q')).lines).toEqual([job.id]);
    expect((await run('jobs retry --failed -q')).lines).toEqual([job.id]);
    const again = await run('jobs retry --failed');
    expect([again.code, again.stdout, again.stderr]).toEqual([EXIT.ok, '', 'No job has failed.\n']);
    expect((await run('jobs list --state waiting -q')).lines).toEqual([job.id]);
    const none = await run('jobs retry 999999');
    expect([none.code, none.stderr]).toEqual([EXIT.notFound, expect.stringContaining('999999')]);
    const partly = await run(`jobs retry 0${job.id} 999999 -q`);
    expect([partly.code, partly.lines]).toEqual([EXIT.partial, [job.id]]);
    expect(partly.stderr).toBe('There is no such job, or it is running: 999999.\n');
    expect((await run('jobs retry')).code).toBe(EXIT.usage);
    expect((await run('jobs list --state failed')).stderr).toBe('No such jobs.\n');
    expect((await run('jobs list --name expire-ads')).stderr).toBe('No such jobs.\n');
    await db.raw('delete from graphile_worker._private_jobs');
    expect((await run('jobs list')).stderr).toBe('The queue is empty.\n');
  });

  test('--daemon works until it is stopped, then says what was done', async () => {
    await db.raw(`select graphile_worker.add_job('fold-counters', '{}')`);
    const stop = new AbortController();
    const running = run('jobs run --daemon', { signal: stop.signal });
    for (;;) {
      const rest = await db.raw(
        "select count(*)::int as n from graphile_worker.jobs where task_identifier = 'fold-counters' and run_at <= now()",
      );
      if (rest.rows[0].n === 0) break;
    }
    stop.abort();
    const { stderr, code } = await running;
    expect([code, stderr]).toEqual([EXIT.ok, expect.stringContaining('Stopped; every job that was begun is finished')]);
  });
});

describe('marketctl maintenance', () => {
  test('on, status and off say the state; each may be said twice', async () => {
    expect((await run('maintenance status -q')).stdout).toBe('off\n');
    const on = await run(['maintenance', 'on', '--message', 'Soon.', '--retry-after', '5m', '-o', 'json']);
    expect(on.json()).toMatchObject({ maintenance: 'on', message: 'Soon.', retryAfter: 300 });
    const before = await fingerprint(db, 'settings', 'audit_log');
    await run(['maintenance', 'on', '--message', 'Soon.', '--retry-after', '5m']);
    await run('maintenance off --dry-run');
    expect(await fingerprint(db, 'settings', 'audit_log')).toBe(before);
    expect((await run('maintenance status -q')).stdout).toBe('on\n');
    expect((await run('maintenance off -o json')).json().maintenance).toBe('off');
    expect((await run('maintenance off')).stderr).toBe('It was off already.\n');
  });
});

describe('marketctl audit', () => {
  test('finds by action, noun, actor, target and time', async () => {
    const all = (await run('audit list --all -o json')).json() as { action: string; actor: string }[];
    expect(all.length).toBeGreaterThan(5);
    const deletes = (await run('audit list --action ad -o json')).json() as { action: string }[];
    expect(deletes.every(({ action }) => action.startsWith('ad.'))).toBe(true);
    expect((await run(`audit list --target ${globe} --action ad.delete -q`)).lines).toHaveLength(1);
    expect((await run('audit list --actor cli: -q --all')).lines).toHaveLength(all.length);
    expect((await run('audit list --actor nobody')).stderr).toBe('Nothing found.\n');
    expect((await run('audit list --until 2000-01-01 -o json')).json()).toEqual([]);
    expect((await run('audit list --since yesterday')).code).toBe(EXIT.usage);
  });
});
