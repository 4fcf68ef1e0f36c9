import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint, openCliDatabase } from '../../test/harness/cli.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
const writeSeeds = (seeds: unknown): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'marketctl-')), 'categories.json');
  writeFileSync(file, typeof seeds === 'string' ? seeds : JSON.stringify(seeds));
  return file;
};

describe('marketctl seed categories', () => {
  test('--check ends with 8 while they are missing, and writes nothing', async () => {
    const before = await fingerprint(db, 'categories', 'audit_log');
    const { code, stderr } = await run('seed categories --check');
    expect(code).toBe(EXIT.schema);
    expect(stderr).toContain('Run: marketctl seed categories');
    expect(await fingerprint(db, 'categories', 'audit_log')).toBe(before);
  });

  test('--dry-run says what it would do and does nothing', async () => {
    const { code, json, stderr } = await run('seed categories --dry-run -o json');
    expect([code, json().created]).toEqual([EXIT.ok, 25]);
    expect(stderr).toContain('Dry run');
    expect(await db('categories').count()).toEqual([{ count: '0' }]);
  });

  test('creates the 25, and names who did', async () => {
    const { code, json, stderr } = await run('seed categories -o json --reason start');
    expect([code, stderr]).toEqual([EXIT.ok, '']);
    expect(json()).toEqual({ created: 25, updated: 0, unchanged: 0, pruned: 0, disabled: 0 });
    const [entry] = await db('audit_log').where({ action: 'category.seed' });
    expect(entry.actor).toMatch(/^cli:.+@.+/);
    expect(entry.details.reason).toBe('start');
  });

  test('a second run changes nothing, not even the audit log', async () => {
    const before = await fingerprint(db, 'categories', 'audit_log');
    expect((await run('seed categories -o json')).json().unchanged).toBe(25);
    expect((await run('seed categories --check')).code).toBe(EXIT.ok);
    expect(await fingerprint(db, 'categories', 'audit_log')).toBe(before);
  });

  test('--prune deletes what is not in the file and disables what has ads', async () => {
    const [user] = await db('users').insert({ display_name: 'A', username: 'a' }).returning('id');
    const [books] = await db('categories').where({ slug: 'books' });
    await db('ads').insert({ user_id: user.id, category_id: books.id, title: 'T', description: 'D', price: 1 });
    const file = writeSeeds([{ slug: 'gnomes', name: 'Gnomes' }]);
    const { json } = await run(`seed categories --file ${file} --prune -o json`);
    expect(json()).toEqual({ created: 1, updated: 0, unchanged: 0, pruned: 24, disabled: 1 });
    expect(await db('categories').orderBy('slug').select('slug', 'is_disabled')).toEqual([
      { slug: 'books', is_disabled: true },
      { slug: 'gnomes', is_disabled: false },
    ]);
  });

  test('demo needs categories, also when it is only tried', async () => {
    await db('ads').delete();
    await db('categories').delete();
    for (const line of ['seed demo', 'seed demo --dry-run']) {
      const { code, stderr, stdout } = await run(line);
      expect([code, stdout, stderr]).toEqual([EXIT.conflict, '', expect.stringContaining('seed categories')]);
    }
    await run('seed categories');
    const { json } = await run('seed demo --ads 40 --dry-run -o json');
    expect(json()).toEqual({ ads: 40, sellers: 20, firstAdId: null, seconds: null });
    expect(await db('ads')).toEqual([]);
  });

  test('a missing file is 5, a wrong one 2', async () => {
    expect((await run('seed categories --file /nowhere')).code).toBe(EXIT.notFound);
    expect((await run(`seed categories --file ${writeSeeds('{')}`)).code).toBe(EXIT.usage);
    expect((await run(`seed categories --file ${writeSeeds([{ slug: 1 }])}`)).code).toBe(EXIT.usage);
  });
});

describe('marketctl seed places', () => {
  const NOTHING = { created: 0, updated: 0, unchanged: 0, removed: 0, kept: 0 };
  const count = async () => Number((await db('places').count())[0]!.count);

  test('--dry-run says how many there would be and leaves none', async () => {
    const { code, json, stderr } = await run('seed places --countries ad,li --dry-run -o json');
    expect([code, json().created > 10]).toEqual([EXIT.ok, true]);
    expect(stderr).toContain('Dry run');
    expect(await count()).toBe(0);
  });

  test('loads the places of these countries, and names who did', async () => {
    const { code, json } = await run('seed places --countries ad,li -o json --reason small');
    expect([code, json()]).toEqual([EXIT.ok, { ...NOTHING, created: await count() }]);
    expect(await db('places').distinct('country').orderBy('country').pluck('country')).toEqual(['AD', 'LI']);
    const [entry] = await db('audit_log').where({ action: 'places.seed' });
    expect(entry.details).toMatchObject({ created: await count(), countries: ['AD', 'LI'], reason: 'small' });
  });

  test('a second run changes nothing, not even the audit log', async () => {
    const before = await fingerprint(db, 'places', 'audit_log');
    expect((await run('seed places --countries AD,LI -o json')).json()).toEqual({
      ...NOTHING,
      unchanged: await count(),
    });
    expect(await fingerprint(db, 'places', 'audit_log')).toBe(before);
  });

  test('says how many places stay because ads refer to them', async () => {
    const vaduz = await db('places').where({ country: 'LI', name: 'Vaduz' }).first();
    const [user] = await db('users').insert({ display_name: 'V', username: 'v' }).returning('id');
    const { id } = await db('categories').first('id');
    const ad = { user_id: user.id, category_id: id, title: 'T', description: 'D', price: 1, place_id: vaduz.id };
    await db('ads').insert(ad);
    const { json, stderr } = await run('seed places --countries AD -o json');
    expect(json()).toMatchObject({ created: 0, kept: 1 });
    expect(stderr).toContain('Ads refer to 1 other place: kept.');
    expect(await db('places').where({ country: 'LI' }).pluck('id')).toEqual([vaduz.id]);
  });

  test.each(['XX', 'Germany', 'US,', ''])('--countries "%s" is refused and changes nothing', async (countries) => {
    const before = await fingerprint(db, 'places');
    const { code, stderr } = await run(`seed places --countries=${countries}`);
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('such as US or CA')]);
    expect(await fingerprint(db, 'places')).toBe(before);
  });
});
