import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { createReport } from '../../../contract/reports.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { forgetReporterAddresses } from './case-repository.ts';

const { app, createPerson } = await openTestApp({ env: { TRUST_PROXY_HOPS: '1' } });
beforeAll(() => insertCategories(app));

const reportFrom = async (targetId: string, addresses: readonly string[]) => {
  for (const address of addresses) {
    const { client } = await createPerson(SETTLED);
    client.headers['X-Forwarded-For'] = address;
    await client.ok(createReport, { body: { targetType: 'ad', targetId, reason: 'scam' } });
  }
};
const postAd = async () => (await createPerson(SETTLED)).client.ok(createAd, { body: adBody() });
const stateOf = async (id: string) => (await app.db('ads').where({ id }).first('state')).state;

test('many reports from one address block do not hold an ad; three from others do', async () => {
  const ad = await postAd();
  await reportFrom(ad.id, [
    '2a00:1450:4001:1::1',
    '2a00:1450:4001:1::2',
    '2a00:1450:4001:1:ffff::3',
    '2a00:1450:4001:1::4',
  ]);
  expect(await stateOf(ad.id)).toBe('active');
  await reportFrom(ad.id, ['93.184.216.34', '93.184.216.35']);
  expect(await stateOf(ad.id)).toBe('pending');
});

test('an address that is not public, as that of a proxy, ties nobody', async () => {
  const ad = await postAd();
  await reportFrom(ad.id, ['10.0.0.1', '10.0.0.1', '10.0.0.1']);
  expect(await stateOf(ad.id)).toBe('pending');
});

test('no address is stored, and what is stored ends with the decision or after a month', async () => {
  const ad = await postAd();
  await reportFrom(ad.id, ['93.184.216.34', '93.184.216.34']);
  const { id } = await app.db('moderation_cases').where({ target_id: ad.id }).first('id');
  const hashes = () => app.db('reports').where({ case_id: id }).orderBy('id').pluck('address_hash');
  const [one, two] = await hashes();
  expect(one).toHaveLength(16);
  expect(one).toEqual(two);
  expect(JSON.stringify(await app.db('reports').where({ case_id: id }))).not.toContain('93.184');
  await app.db('reports').where({ case_id: id }).orderBy('id').limit(1).update({ created_at: '2026-01-01' });
  await forgetReporterAddresses(app.db);
  expect((await hashes()).filter((hash) => hash === null)).not.toHaveLength(0);
  await app.db('reports').where({ case_id: id }).update({ outcome: 'upheld', decided_at: app.db.fn.now() });
  await forgetReporterAddresses(app.db);
  expect(await hashes()).toEqual([null, null]);
});
