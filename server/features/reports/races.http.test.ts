import { beforeAll, describe, expect, test } from 'vitest';
import { setAdStatus } from '../../../contract/admin.ts';
import { createAd, deleteAd, updateAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/reports.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { withDatabase } from '../../db/transaction.ts';
import { deleteMe } from '../account/removal.ts';

const { app, signIn } = await openTestApp();
beforeAll(() => insertCategories(app));

const ROUNDS = 6;
const createPerson = async (columns = {}) => {
  const user = await insertUser(app, { created_at: '2020-01-01T00:00:00Z', ...columns });
  return { ...user, client: await signIn(user.id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;
const open = (count: number, columns = {}): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => createPerson(columns)));
const postAd = ({ client }: Person) => client.ok(createAd, { body: adBody() });
const report = ({ client }: Person, targetType: 'ad' | 'user', targetId: string) =>
  client.call(api.createReport, { body: { targetType, targetId, reason: 'scam' } });
const decide = ({ client }: Person, id: string, action: 'dismiss' | 'remove' | 'reverse' | 'uphold') =>
  client.call(api.decideCase, { params: { id }, body: { action, reason: 'scam' } });
const findOpenCaseId = async (targetType: string, targetId: string) =>
  (await app.db('moderation_cases').where({ target_type: targetType, target_id: targetId, decided_at: null }).first())
    ?.id;
const decisionsOn = (targetId: string) => app.db('decisions').where({ target_id: targetId }).orderBy('id');
const readAd = (id: string) => app.db('ads').where({ id }).first();
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

const waitForLock = () =>
  expect
    .poll(() =>
      app
        .db('pg_stat_activity')
        .where({ wait_event_type: 'Lock' })
        .where('datname', app.db.raw('current_database()'))
        .first('pid'),
    )
    .toBeDefined();

const repeat = async (work: () => Promise<void>): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++) await work();
};

describe('at the same time', () => {
  test('the same report twice is one report', () =>
    repeat(async () => {
      const [seller, reporter] = (await open(2)) as [Person, Person];
      const ad = await postAd(seller);
      const answers = await Promise.all([report(reporter, 'ad', ad.id), report(reporter, 'ad', ad.id)]);
      expect(statusesOf(answers)).toEqual([200, 201]);
      expect(answers[0]!.body).toEqual(answers[1]!.body);
      expect(await app.db('reports').where({ reporter_id: reporter.id })).toHaveLength(1);
    }));

  test('reports of one person are one case with all of them', () =>
    repeat(async () => {
      const [person, ...reporters] = (await open(5)) as [Person, ...Person[]];
      const answers = await Promise.all(reporters.map((reporter) => report(reporter, 'user', person.id)));
      expect(statusesOf(answers)).toEqual([201, 201, 201, 201]);
      const cases = await app.db('moderation_cases').where({ target_type: 'user', target_id: person.id });
      expect(cases).toMatchObject([{ weight: '4.00' }]);
    }));

  test('reports that cross the weight hold the ad once', () =>
    repeat(async () => {
      const [seller, ...reporters] = (await open(7)) as [Person, ...Person[]];
      const ad = await postAd(seller);
      const answers = await Promise.all(reporters.map((reporter) => report(reporter, 'ad', ad.id)));
      // those after the hold do not see the ad any more
      expect(statusesOf(answers)).toEqual([201, 201, 201, 404, 404, 404]);
      expect(await readAd(ad.id)).toMatchObject({ state: 'pending', taken_down: true });
      expect(await decisionsOn(ad.id)).toMatchObject([{ action: 'hold' }]);
      expect(await app.db('notifications').where({ user_id: seller.id })).toHaveLength(1);
    }));

  test('two moderators decide a case once: the second learns what the first decided', () =>
    repeat(async () => {
      const [seller, reporter] = (await open(2)) as [Person, Person];
      const moderators = await open(2, { role: 'moderator' });
      const ad = await postAd(seller);
      await report(reporter, 'ad', ad.id);
      const id = await findOpenCaseId('ad', ad.id);
      const [removed, dismissed] = await Promise.all([
        decide(moderators[0]!, id, 'remove'),
        decide(moderators[1]!, id, 'dismiss'),
      ]);
      expect(statusesOf([removed, dismissed])).toEqual([200, 409]);
      const [winner, loser] = removed.status === 200 ? [0, dismissed] : [1, removed];
      expect(loser.body.message).toContain(moderators[winner]!.display_name);
      expect(loser.body.message).toContain(winner === 0 ? 'Remove ad' : 'Dismiss');
      expect(await decisionsOn(ad.id)).toHaveLength(1);
      expect((await readAd(ad.id)).state).toBe(winner === 0 ? 'inactive' : 'active');
      expect(await app.db('notifications').where({ user_id: reporter.id })).toHaveLength(1);
      expect(await app.db('audit_log').where({ action: 'report.decide', target_id: ad.id })).toHaveLength(1);
    }));

  test("a removal and the owner's edit leave the ad removed", () =>
    repeat(async () => {
      const [seller, reporter] = (await open(2)) as [Person, Person];
      const moderator = await createPerson({ role: 'moderator' });
      const ad = await postAd(seller);
      await report(reporter, 'ad', ad.id);
      const id = await findOpenCaseId('ad', ad.id);
      const [removed, edited] = await Promise.all([
        decide(moderator, id, 'remove'),
        seller.client.call(updateAd, { params: { id: ad.id }, body: adBody() }),
      ]);
      expect([removed.status, edited.status]).toEqual([200, 200]);
      const after = await readAd(ad.id);
      expect(after).toMatchObject({ listed: false, taken_down: true });
      expect(['inactive', 'pending']).toContain(after.state);
    }));

  test('a decision and the deletion of the ad by its owner both succeed, or the decision is refused', () =>
    repeat(async () => {
      const [seller, reporter] = (await open(2)) as [Person, Person];
      const moderator = await createPerson({ role: 'moderator' });
      const ad = await postAd(seller);
      await report(reporter, 'ad', ad.id);
      const id = await findOpenCaseId('ad', ad.id);
      const [removed, deleted] = await Promise.all([
        decide(moderator, id, 'remove'),
        seller.client.call(deleteAd, { params: { id: ad.id } }),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 409]).toContain(removed.status);
      expect(await readAd(ad.id)).toMatchObject({ state: 'deleted', title: '' });
      if (removed.status === 409) expect((await decide(moderator, id, 'dismiss')).status).toBe(200);
      expect(await findOpenCaseId('ad', ad.id)).toBeUndefined();
    }));

  test('an approval and the reports that would hold the ad leave it public', () =>
    repeat(async () => {
      const [seller, ...reporters] = (await open(4)) as [Person, ...Person[]];
      const admin = await createPerson({ role: 'admin' });
      const ad = await postAd(seller);
      const [approved] = await Promise.all([
        admin.client.call(setAdStatus, { params: { id: ad.id }, body: { status: 'active' } }),
        ...reporters.map((reporter) => report(reporter, 'ad', ad.id)),
      ]);
      expect(approved.status).toBe(200);
      expect(await readAd(ad.id)).toMatchObject({ state: 'active', taken_down: false, listed: true });
      expect(await decisionsOn(ad.id).whereNull('ended_at').where({ action: 'hold' })).toEqual([]);
    }));

  test('an appeal and the reversal of its decision leave no open appeal', () =>
    repeat(async () => {
      const [seller, admin] = [await createPerson(), await createPerson({ role: 'admin' })];
      const ad = await postAd(seller);
      const setStatus = (status: 'active' | 'inactive') =>
        admin.client.ok(setAdStatus, { params: { id: ad.id }, body: { status } });
      await setStatus('inactive');
      const [removal] = await seller.client.ok(api.listMyDecisions);
      const [appealed] = await Promise.all([
        seller.client.call(api.appealDecision, { params: { id: removal!.id }, body: { text: 'Why?' } }),
        setStatus('active'),
      ]);
      expect([201, 409]).toContain(appealed.status);
      expect(await findOpenCaseId('decision', removal!.id)).toBeUndefined();
      const [after] = await seller.client.ok(api.listMyDecisions);
      expect(after).toMatchObject({ canAppeal: false, reversedAt: expect.any(String) });
      if (appealed.status === 201) expect(after!.appeal?.status).toBe('reversed');
      expect((await readAd(ad.id)).state).toBe('active');
    }));

  test('two appeals of one decision are one', () =>
    repeat(async () => {
      const [seller, admin] = [await createPerson(), await createPerson({ role: 'admin' })];
      const ad = await postAd(seller);
      await admin.client.ok(setAdStatus, { params: { id: ad.id }, body: { status: 'inactive' } });
      const [removal] = await seller.client.ok(api.listMyDecisions);
      const appeal = () =>
        seller.client.call(api.appealDecision, { params: { id: removal!.id }, body: { text: 'Why?' } });
      expect(statusesOf(await Promise.all([appeal(), appeal()]))).toEqual([201, 409]);
    }));

  test('a report of a person who deletes the account leaves no case with the name', async () => {
    const [person, reporter] = (await open(2)) as [Person, Person];
    const trx = await app.db.transaction();
    await trx('users').where({ id: person.id }).forUpdate();
    const reported = report(reporter, 'user', person.id);
    await waitForLock();
    await deleteMe(withDatabase(app, trx), { kind: 'user', id: person.id, role: 'user' });
    await trx.commit();
    expect((await reported).status).toBe(404);
    expect(await findOpenCaseId('user', person.id)).toBeUndefined();
  });

  test('a decision and the deletion of a reporter leave no notification of the deleted user', async () => {
    const [person, reporter] = (await open(2)) as [Person, Person];
    const moderator = await createPerson({ role: 'moderator' });
    await report(reporter, 'user', person.id);
    const trx = await app.db.transaction();
    await deleteMe(withDatabase(app, trx), { kind: 'user', id: reporter.id, role: 'user' });
    const decided = decide(moderator, await findOpenCaseId('user', person.id), 'dismiss');
    await waitForLock();
    await trx.commit();
    expect((await decided).status).toBe(200);
    expect(await app.db('notifications').where({ user_id: reporter.id })).toEqual([]);
  });

  test('two moderators decide an appeal once: reversed or upheld', () =>
    repeat(async () => {
      const [seller, admin] = [await createPerson(), await createPerson({ role: 'admin' })];
      const moderators = await open(2, { role: 'moderator' });
      const ad = await postAd(seller);
      await admin.client.ok(setAdStatus, { params: { id: ad.id }, body: { status: 'inactive' } });
      const [removal] = await seller.client.ok(api.listMyDecisions);
      await seller.client.ok(api.appealDecision, { params: { id: removal!.id }, body: { text: 'Why?' } });
      const id = await findOpenCaseId('decision', removal!.id);
      const answers = await Promise.all([decide(moderators[0]!, id, 'reverse'), decide(moderators[1]!, id, 'uphold')]);
      expect(statusesOf(answers)).toEqual([200, 409]);
      expect((await readAd(ad.id)).state).toBe(answers[0]!.status === 200 ? 'active' : 'inactive');
    }));
});
