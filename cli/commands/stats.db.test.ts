import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCliDatabase } from '../../test/harness/cli.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
await run('seed categories');
const [books] = await db('categories').where({ slug: 'books' });
const at = async (created: string, fields: object = {}) => {
  const [user] = await db('users').insert({ display_name: 'U', created_at: created }).returning('id');
  await db('ads').insert({
    user_id: user.id,
    category_id: books.id,
    title: 'T',
    description: 'D',
    price: 5,
    created_at: created,
    ...fields,
  });
};
// Berlin's clocks go back on 2026-10-25 at 01:00Z and forward on 2026-03-29 at 01:00Z.
await at('2026-10-24T21:30:00Z');
await at('2026-10-24T22:30:00Z');
await at('2026-10-25T22:59:59Z', { is_sold: true, sold_at: '2026-10-25T23:00:00Z', price: '12.50' });

const rows = async (line: string) => (await run(`stats export ${line} -o json`)).json();

describe('marketctl stats export', () => {
  test('days are those of the time zone: one of 25 hours is one row', async () => {
    const found = await rows(
      '--from 2026-10-23T22:00Z --to 2026-10-26T23:00Z --metric signups,sold,revenue --tz Europe/Berlin',
    );
    expect(found).toEqual([
      { bucket: '2026-10-24T00:00:00+02:00', signups: 1, sold: 0, revenue: '0' },
      { bucket: '2026-10-25T00:00:00+02:00', signups: 2, sold: 0, revenue: '0' },
      { bucket: '2026-10-26T00:00:00+01:00', signups: 0, sold: 1, revenue: '12.50' },
    ]);
  });

  test('hours go on over both changes of the clock, none twice and none missing', async () => {
    const autumn = await rows(
      '--bucket hour --from 2026-10-25T00:00Z --to 2026-10-25T03:00Z --metric ads --tz Europe/Berlin',
    );
    expect(autumn.map((row: { bucket: string }) => row.bucket)).toEqual([
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T03:00:00+01:00',
    ]);
    const spring = await rows(
      '--bucket hour --from 2026-03-29T00:00Z --to 2026-03-29T03:00Z --metric ads --tz Europe/Berlin',
    );
    expect(spring.map((row: { bucket: string }) => row.bucket)).toEqual([
      '2026-03-29T01:00:00+01:00',
      '2026-03-29T03:00:00+02:00',
      '2026-03-29T04:00:00+02:00',
    ]);
  });

  test('zones with half hours, weeks from Monday, months, empty ones as zeros', async () => {
    expect(
      (await rows('--bucket hour --from 2026-10-24T21:00Z --to 2026-10-24T22:00Z --metric ads --tz Asia/Kolkata'))[0],
    ).toEqual({
      bucket: '2026-10-25T02:00:00+05:30',
      ads: 0,
    });
    const weeks = await rows('--bucket week --from 2026-10-20 --to 2026-10-27 --metric ads --tz UTC');
    expect(weeks).toEqual([
      { bucket: '2026-10-19T00:00:00Z', ads: 3 },
      { bucket: '2026-10-26T00:00:00Z', ads: 0 },
    ]);
    const months = await rows(
      '--bucket month --from 2026-09-01 --to 2026-11-01 --metric ads,messages --tz America/New_York',
    );
    expect(months.map((row: { ads: number }) => row.ads)).toEqual([0, 0, 3]);
  });

  test('every metric adds up to what is there', async () => {
    const all = await rows('--from start --to 2999-01-01 --bucket month');
    const sum = (name: string) =>
      all.reduce((total: number, row: Record<string, number>) => total + Number(row[name]), 0);
    expect([sum('signups'), sum('ads'), sum('sold'), sum('revenue')]).toEqual([3, 3, 1, 12.5]);
  });

  test('is CSV with a stable header and CRLF by default; -o and MARKETCTL_OUTPUT decide otherwise', async () => {
    const line = 'stats export --from 2026-10-25 --to 2026-10-26';
    const { stdout, stderr } = await run(line);
    expect(stderr).toBe('');
    expect(stdout).toBe(
      'bucket,signups,ads,sold,revenue,deletedAds,conversations,messages,favorites,visits,visitors,bans\r\n2026-10-25T00:00:00Z,1,1,1,12.50,0,0,0,0,0,0,0\r\n',
    );
    expect((await run(`${line} --no-headers --fields ads`)).stdout).toBe('1\r\n');
    expect(
      (await run(line, { env: { MARKETCTL_OUTPUT: 'ndjson' } })).lines.map((text) => JSON.parse(text).ads),
    ).toEqual([1]);
    expect((await run(line)).stdout).toBe(stdout);
  });

  test('--out writes a whole file or none', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'stats-'));
    const { stdout, stderr } = await run(`stats export --from 2026-10-25 --to 2026-10-26 --out ${dir}/x.csv`);
    expect([stdout, stderr]).toEqual(['', `${dir}/x.csv has 1 row.\n`]);
    expect(readFileSync(join(dir, 'x.csv'), 'utf8')).toContain('2026-10-25T00:00:00Z,1');
    await run(`stats export --from 2026-10-25 --to 2026-10-26 -o table --out ${dir}/x.csv`, { columns: 80 });
    expect(readFileSync(join(dir, 'x.csv'), 'utf8')).not.toContain('\u001B');
    const stop = new AbortController();
    stop.abort();
    expect((await run(`stats export --out ${dir}/y.csv`, { signal: stop.signal })).code).toBe(EXIT.interrupted);
    expect(readdirSync(dir)).toEqual(['x.csv']);
  });

  test('wrong times, zones, buckets and metrics are usage errors', async () => {
    for (const wrong of [
      '--from tomorrow',
      '--tz Mars/Base',
      '--tz +02:00',
      '--bucket year',
      '--metric love',
      '--from 2026-02-01 --to 2026-01-01',
    ])
      expect([wrong, (await run(`stats export ${wrong}`)).code]).toEqual([wrong, EXIT.usage]);
  });
});

test('marketctl stats show prints the numbers of the administration', async () => {
  const { json, code } = await run('stats show -o json');
  expect(code).toBe(EXIT.ok);
  expect(json()).toMatchObject({ totalUsers: 3, totalAds: 3, pendingAds: 0, topCategories: expect.any(Array) });
  const { stdout } = await run('stats show');
  expect(stdout).toContain('totalUsers          3\n');
  expect(stdout).toMatch(/^topCategories {7}[A-Z][^{]* \d+$/m);
});
