import { describe, expect, test } from 'vitest';
import { toSlug } from '../../server/features/categories/slug.ts';
import { fingerprint, openCliDatabase } from '../../test/harness/cli.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
await run('seed categories');
const insertAd = async (slug: string) => {
  const [user] = await db('users').insert({ display_name: 'A' }).returning('id');
  const [category] = await db('categories').where({ slug });
  await db('ads').insert({ user_id: user.id, category_id: category.id, title: 'T', description: 'D', price: 1 });
};
const lastAudit = async () => (await db('audit_log').orderBy('id', 'desc').first('action', 'target_id', 'details'))!;

describe('marketctl category', () => {
  test('list counts listed ads', async () => {
    await insertAd('photography');
    const rows = (await run('category list -o json')).json();
    expect(rows).toHaveLength(25);
    expect(rows.find((row: { slug: string }) => row.slug === 'photography')).toEqual({
      slug: 'photography',
      name: 'Photography',
      icon: 'camera',
      position: 13,
      disabled: false,
      ads: 1,
    });
  });

  test('add makes the slug from the name, once', async () => {
    const added = await run([
      'category',
      'add',
      'Garden Gnömes & Co',
      '--icon',
      'sprout',
      '-o',
      'json',
      '--reason',
      'asked for',
    ]);
    expect(added.json()).toMatchObject({
      slug: 'garden-gnomes-co',
      name: 'Garden Gnömes & Co',
      icon: 'sprout',
      position: 25,
    });
    expect(await lastAudit()).toMatchObject({
      action: 'category.add',
      target_id: 'garden-gnomes-co',
      details: { reason: 'asked for' },
    });
    const again = await run(['category', 'add', 'garden gnömes & co']);
    expect([again.code, again.stdout]).toEqual([EXIT.conflict, '']);
    expect((await run(['category', 'add', 'x', '--slug', 'No Slug'])).code).toBe(EXIT.usage);
  });

  test.each([
    ['Straßenbahn', 'strassenbahn'],
    ['GROẞ', 'gross'],
    ['Smørrebrød', 'smorrebrod'],
    ['Łódź', 'lodz'],
    ['Œuvres & Ærø', 'oeuvres-aero'],
    ['Đồ cũ', 'do-cu'],
    ['Þórður ðal', 'thordur-dal'],
    ['ılık İstanbul', 'ilik-istanbul'],
    ['Ħal, Ŋaŋ, ŧ', 'hal-ngang-t'],
    ['Ｆｕｌｌ ﬁne ①', 'full-fine-1'],
    ['Oʻzbek', 'ozbek'],
    [`${'word '.repeat(9)}longer`, 'word-word-word-word-word-word-word-word-word'],
    ['日本', ''],
    ['Книги', ''],
    ['Books 日本', ''],
    ['🧙', ''],
  ])('the slug of "%s" is "%s"', (name, slug) => expect(toSlug(name)).toBe(slug));

  test('add names --slug where it can make none, and refuses a name without a visible character', async () => {
    const refused = await run(['category', 'add', '日本']);
    expect([refused.code, refused.stderr]).toEqual([EXIT.usage, expect.stringContaining('--slug')]);
    const added = await run(['category', 'add', '日本', '--slug', 'japan', '-o', 'json']);
    expect(added.json()).toMatchObject({ slug: 'japan', name: '日本' });
    for (const name of ['', ' ', '\u200B', '\u00AD\u2060', 'a\u0007b', 'x'.repeat(51)]) {
      expect([name, (await run(['category', 'add', name, '--slug', 'blank'])).code]).toEqual([name, EXIT.usage]);
      expect([name, (await run(['category', 'rename', 'japan', '--name', name])).code]).toEqual([name, EXIT.usage]);
    }
  });

  test('rename keeps the ads; the same name again is no change', async () => {
    expect(
      (await run(['category', 'rename', 'photography', '--name', 'Cameras', '-o', 'csv', '--fields', 'slug,name']))
        .stdout,
    ).toBe('slug,name\r\nphotography,Cameras\r\n');
    const before = await fingerprint(db, 'categories', 'audit_log');
    expect((await run(['category', 'rename', 'photography', '--name', 'Cameras'])).code).toBe(EXIT.ok);
    expect(await fingerprint(db, 'categories', 'audit_log')).toBe(before);
    expect((await run(['category', 'rename', 'photography', '--name', 'Vehicles'])).code).toBe(EXIT.conflict);
    expect((await run('category rename photography')).code).toBe(EXIT.usage);
    expect((await run('category rename nothing --name X')).code).toBe(EXIT.notFound);
  });

  test('merge wants a yes, can be tried, then moves the ads', async () => {
    const before = await fingerprint(db, 'categories', 'ads', 'audit_log');
    expect((await run('category merge photography --into electronics')).code).toBe(EXIT.notConfirmed);
    const tried = await run('category merge photography --into electronics --dry-run -o json');
    expect(tried.json()).toEqual({ from: 'photography', into: 'electronics', ads: 1 });
    expect(await fingerprint(db, 'categories', 'ads', 'audit_log')).toBe(before);
    expect((await run('category merge photography --into electronics --yes -o json')).json().ads).toBe(1);
    const rows = (await run('category list -o json')).json() as { slug: string; ads: number }[];
    expect(rows.find(({ slug }) => slug === 'electronics')?.ads).toBe(1);
    expect(rows.some(({ slug }) => slug === 'photography')).toBe(false);
    expect((await run('category merge photography --into electronics --yes')).code).toBe(EXIT.notFound);
    expect((await run('category merge books --into books --yes')).code).toBe(EXIT.conflict);
  });

  test('disable and enable may be said twice', async () => {
    for (const verb of ['disable', 'enable'] as const) {
      const first = await run(`category ${verb} tickets -o json`);
      expect(first.json().disabled).toBe(verb === 'disable');
      const before = await fingerprint(db, 'categories', 'audit_log');
      expect((await run(`category ${verb} tickets`)).code).toBe(EXIT.ok);
      expect(await fingerprint(db, 'categories', 'audit_log')).toBe(before);
    }
  });
});
