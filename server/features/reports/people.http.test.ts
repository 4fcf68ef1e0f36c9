import { beforeAll, describe, expect, test } from 'vitest';
import { deleteAdAsAdmin, setAdStatus, suspendUser, unbanUser } from '../../../contract/admin.ts';
import { createAd, getAd, updateAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/reports.ts';
import { deleteMe, exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { inTransaction } from '../../db/transaction.ts';
import { operator } from '../../policy.ts';
import { softDeleteAds } from '../ads/repository.ts';
import { deleteUnusedImages } from '../images/files.ts';
import { deleteOldCopies } from './case-repository.ts';
import { decideCase } from './decide.ts';

const { app, signIn } = await openTestApp();
beforeAll(() => insertCategories(app));

const createPerson = async (columns = {}) => {
  const user = await insertUser(app, { created_at: '2020-01-01T00:00:00Z', ...columns });
  return { ...user, client: await signIn(user.id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;
const createStaff = (role: 'moderator' | 'admin' = 'moderator') => createPerson({ role });
const postAd = ({ client }: Person, fields = {}) => client.ok(createAd, { body: adBody(fields) });
const report = ({ client }: Person, targetType: 'ad' | 'user', targetId: string) =>
  client.ok(api.createReport, { body: { targetType, targetId, reason: 'scam', details: 'CANARY details' } });
const decide = ({ client }: Person, id: string, body: object) =>
  client.call(api.decideCase, { params: { id }, body: { reason: 'scam', ...body } as never });
const readAd = (id: string) => app.db('ads').where({ id }).first();
const findOpenCaseId = async (targetType: string, targetId: string): Promise<string> =>
  (await app.db('moderation_cases').where({ target_type: targetType, target_id: targetId, decided_at: null }).first())
    ?.id;
const hold = async (adId: string): Promise<string> => {
  for (let n = 0; n < 3; n++) await report(await createPerson(), 'ad', adId);
  expect((await readAd(adId)).state).toBe('pending');
  return findOpenCaseId('ad', adId);
};
const appeal = async ({ client }: Person): Promise<string> => {
  const [decision] = await client.ok(api.listMyDecisions);
  await client.ok(api.appealDecision, { params: { id: decision!.id }, body: { text: 'Please look again' } });
  return findOpenCaseId('decision', decision!.id);
};
const kindsOf = ({ id }: Person) => app.db('notifications').where({ user_id: id }).orderBy('id').pluck('kind');

describe('staff', () => {
  test('act on people of a lower role only, and only administrators ban', async () => {
    const [moderator, admin, reporter] = [await createStaff(), await createStaff('admin'), await createPerson()];
    const [person, colleague, chief] = [await createPerson(), await createStaff(), await createStaff('admin')];
    for (const { id } of [person, colleague, chief]) await report(reporter, 'user', id);
    const [onPerson, onColleague, onChief] = await Promise.all(
      [person, colleague, chief].map(({ id }) => findOpenCaseId('user', id)),
    );
    expect((await decide(moderator, onPerson!, { action: 'ban' })).status).toBe(403);
    for (const action of ['dismiss', 'warn']) {
      const refused = await decide(moderator, onColleague!, { action });
      expect(refused.body.message).toBe('Only the operator can act on a person of this role.');
      expect((await decide(admin, onChief!, { action })).status).toBe(403);
      expect((await decide(colleague, onColleague!, { action })).status).toBe(403);
    }
    expect(await moderator.client.ok(api.getCase, { params: { id: onColleague! } })).toMatchObject({ actions: [] });
    expect((await decide(moderator, onPerson!, { action: 'remove' })).status).toBe(400);
    expect((await decide(moderator, onPerson!, { action: 'suspend', days: 31 })).status).toBe(400);
    expect((await decide(moderator, onPerson!, { action: 'suspend' })).status).toBe(400);
    expect((await decide(admin, onPerson!, { action: 'ban', note: 'Fake' })).status).toBe(200);
    expect(await app.db('users').where({ id: person.id }).first()).toMatchObject({ ban_reason: 'Fake' });
    expect((await decide(admin, onColleague!, { action: 'warn' })).status).toBe(200);
    await decideCase(app, operator('test'), onChief!, { action: 'warn', reason: 'offensive' });
    expect((await decide(admin, onChief!, { action: 'dismiss' })).body.message).toContain('The operator');
  });

  test('see no case about themselves, because it names the reporters', async () => {
    const [reporter, concerned, other] = [await createPerson(), await createStaff(), await createStaff()];
    await report(reporter, 'user', concerned.id);
    const id = await findOpenCaseId('user', concerned.id);
    const targetsOf = async ({ client }: Person, status: 'open' | 'decided') =>
      (await client.ok(api.listCases, { query: { status, limit: '100' } })).map(({ targetId }) => targetId);
    const { open } = await other.client.ok(api.countOpenCases);
    expect(await concerned.client.ok(api.countOpenCases)).toEqual({ open: open - 1 });
    expect(await targetsOf(other, 'open')).toContain(concerned.id);
    expect(await targetsOf(concerned, 'open')).not.toContain(concerned.id);
    expect((await concerned.client.call(api.getCase, { params: { id } })).status).toBe(404);
    await decideCase(app, operator('test'), id, { action: 'warn', reason: 'offensive' });
    expect(await targetsOf(other, 'decided')).toContain(concerned.id);
    expect(await targetsOf(concerned, 'decided')).not.toContain(concerned.id);
    const refused = await decide(concerned, id, { action: 'dismiss' });
    expect(refused.body.message).toBe('You cannot decide about yourself');
  });

  test('who were demoted or banned a moment ago decide nothing', async () => {
    const [reporter, person, moderator] = [await createPerson(), await createPerson(), await createStaff()];
    await report(reporter, 'user', person.id);
    const id = await findOpenCaseId('user', person.id);
    const actor = { kind: 'user', id: moderator.id, role: 'admin' } as const;
    // the session still says administrator
    await expect(decideCase(app, actor, id, { action: 'ban', reason: 'scam' })).rejects.toMatchObject({ status: 403 });
    await app.db('users').where({ id: moderator.id }).update({ role: 'user' });
    await expect(decideCase(app, actor, id, { action: 'warn', reason: 'scam' })).rejects.toMatchObject({ status: 403 });
  });

  test('see the queue by weight, then age, page by page, and decided cases by their decision', async () => {
    await app.db('moderation_cases').whereNull('decided_at').update({ decided_at: app.db.fn.now() });
    const [moderator, reporter, heavy] = [await createStaff(), await createPerson(), await createPerson()];
    const people = [await createPerson(), await createPerson(), await createPerson()] as const;
    for (const { id } of people) await report(reporter, 'user', id);
    await report(heavy, 'user', people[2].id);
    const order = [people[2].id, people[0].id, people[1].id];
    const first = await moderator.client.call(api.listCases, { query: { limit: '2' } });
    const next = /<([^>]+)>/.exec(first.headers.get('link')!)![1]!;
    const second = await moderator.client.send(next);
    const seen = [...first.body, ...second.body] as { targetId: string; weight: number; reportCount: number }[];
    expect(seen.map(({ targetId }) => targetId)).toEqual(order);
    expect(seen[0]).toMatchObject({ weight: 2, reportCount: 2, reasons: ['scam'] });
    expect(second.headers.get('link')).toBeNull();
    expect(await moderator.client.ok(api.countOpenCases)).toEqual({ open: 3 });
    expect((await moderator.client.call(api.listCases, { query: { cursor: "1_2'x" } })).body).toHaveLength(3);
    for (const { id } of people) await decide(moderator, await findOpenCaseId('user', id), { action: 'dismiss' });
    const decided = await moderator.client.ok(api.listCases, { query: { status: 'decided', limit: '2' } });
    expect(decided.map(({ targetId }) => targetId)).toEqual([people[2].id, people[1].id]);
    expect(decided[0]!.decision).toMatchObject({ action: 'dismiss', decidedBy: { id: moderator.id } });
  });
});

describe('the person concerned', () => {
  test('learns the reason and nothing about reporters and staff', async () => {
    const [seller, reporter, moderator, other] = [
      await createPerson(),
      await createPerson(),
      await createStaff(),
      await createStaff(),
    ];
    const ad = await postAd(seller);
    await report(reporter, 'ad', ad.id);
    await decide(moderator, await findOpenCaseId('ad', ad.id), { action: 'remove', note: 'Not here' });
    await decide(other, await appeal(seller), { action: 'uphold', note: 'Still not' });
    const known = JSON.stringify([
      await seller.client.ok(api.listMyDecisions),
      await seller.client.ok(exportMyData),
      await app.db('notifications').where({ user_id: seller.id }).select('title', 'body', 'url'),
    ]);
    for (const person of [reporter, moderator, other]) {
      expect(known).not.toContain(`"${person.id}"`);
      expect(known).not.toContain(person.display_name);
      expect(known).not.toContain(person.username);
    }
    expect(known).not.toContain('CANARY');
    expect(known).toContain('Not here');
    const removal = await app.db('decisions').where({ person_id: seller.id, action: 'remove' }).first('id');
    const urls = await app.db('notifications').where({ user_id: seller.id }).pluck('url');
    const url = `/decisions#decision-${removal?.id}`;
    expect(urls, 'the decision, and the result of the appeal').toEqual([url, url]);
    const learned = JSON.stringify(await app.db('notifications').where({ user_id: reporter.id }));
    expect(learned).not.toContain(moderator.display_name);
    expect(learned).not.toContain('Not here');
    expect(JSON.stringify(await reporter.client.ok(exportMyData))).toContain('CANARY');
  });

  test('appeals a hold: the reversal restores the ad, dismisses its case and clears its content', async () => {
    const [seller, moderator] = [await createPerson(), await createStaff()];
    const ad = await postAd(seller);
    const reports = await hold(ad.id);
    expect((await decide(moderator, await appeal(seller), { action: 'reverse' })).status).toBe(200);
    expect(await readAd(ad.id)).toMatchObject({ state: 'active', taken_down: false, listed: true });
    expect(await moderator.client.ok(api.getCase, { params: { id: reports } })).toMatchObject({ status: 'decided' });
    for (let n = 0; n < 4; n++) await report(await createPerson(), 'ad', ad.id);
    expect((await readAd(ad.id)).state).toBe('active');
    await seller.client.ok(updateAd, { params: { id: ad.id }, body: adBody({ title: 'Something else' }) });
    await report(await createPerson(), 'ad', ad.id);
    expect((await readAd(ad.id)).state).toBe('pending');
  });

  test('keeps a hold that is followed by a removal, whose reversal restores what was before both', async () => {
    const [seller, moderator, other] = [await createPerson(), await createStaff(), await createStaff()];
    const ad = await postAd(seller);
    const before = await readAd(ad.id);
    const id = await hold(ad.id);
    const onHold = await appeal(seller);
    await decide(moderator, id, { action: 'remove' });
    expect(await moderator.client.ok(api.getCase, { params: { id: onHold } })).toMatchObject({
      decision: { action: 'uphold' },
      appeal: { contested: { action: 'hold', isAutomatic: true, decidedBy: null } },
    });
    await decide(other, await appeal(seller), { action: 'reverse' });
    const { updated_at: _, ...same } = before;
    expect(await readAd(ad.id)).toMatchObject(same);
  });

  test('who edits a removed ad gets that text judged when the removal is reversed', async () => {
    const [seller, moderator, other] = [await createPerson(), await createStaff(), await createStaff()];
    const ad = await postAd(seller);
    await report(await createPerson(), 'ad', ad.id);
    await decide(moderator, await findOpenCaseId('ad', ad.id), { action: 'remove' });
    const id = await appeal(seller);
    await seller.client.ok(updateAd, { params: { id: ad.id }, body: adBody({ description: 'A scam' }) });
    await decide(other, id, { action: 'reverse' });
    expect(await readAd(ad.id)).toMatchObject({ state: 'pending', taken_down: false });
  });

  test('reads why staff rejected or deactivated an ad in the Ads tab, and that they approved it', async () => {
    const [seller, admin] = [await createPerson(), await createStaff('admin')];
    const ad = await postAd(seller, { title: 'A fake watch' });
    const setStatus = (status: 'active' | 'inactive', reason?: string) =>
      admin.client.ok(setAdStatus, { params: { id: ad.id }, body: { status, reason } });
    await setStatus('inactive', 'A replica');
    await seller.client.ok(updateAd, { params: { id: ad.id }, body: adBody({ title: 'A watch' }) });
    await setStatus('active');
    await setStatus('inactive');
    expect(await kindsOf(seller)).toEqual(['ad_rejected', 'ad_approved', 'decision']);
    const [second, first] = await seller.client.ok(api.listMyDecisions);
    // the first was right about what the ad said then
    expect(first).toMatchObject({ note: 'A replica', reversedAt: null, canAppeal: false });
    expect(second).toMatchObject({ reason: 'other', note: null, canAppeal: true });
  });

  test('is right about a suspension that an administrator ended early', async () => {
    const [person, moderator, admin] = [await createPerson(), await createStaff(), await createStaff('admin')];
    await report(await createPerson(), 'user', person.id);
    await decide(moderator, await findOpenCaseId('user', person.id), { action: 'suspend', days: 30 });
    const id = await appeal(person);
    await admin.client.ok(unbanUser, { params: { id: person.id } });
    expect((await decide(admin, id, { action: 'reverse' })).status).toBe(200);
    const [suspension] = await person.client.ok(api.listMyDecisions);
    expect(suspension).toMatchObject({ appeal: { status: 'reversed' }, reversedAt: expect.any(String) });
    await report(await createPerson(), 'user', person.id);
    const next = await findOpenCaseId('user', person.id);
    const { history } = await admin.client.ok(api.getCase, { params: { id: next } });
    expect(history).toEqual({ adsRemoved: 0, warnings: 0, suspensions: 0, openCases: 1 });
  });

  test.each([{ action: 'warn' }, { action: 'suspend', days: 7 }])(
    'appeals $action because of an ad, also after the ad was deleted; the reversal leaves the ad alone',
    async (decision) => {
      const [seller, moderator, other] = [await createPerson(), await createStaff(), await createStaff()];
      for (const isDeleted of [false, true]) {
        const ad = await postAd(seller, { title: `Bicycle ${isDeleted}` });
        await report(await createPerson(), 'ad', ad.id);
        expect((await decide(moderator, await findOpenCaseId('ad', ad.id), decision)).status).toBe(200);
        if (isDeleted) await inTransaction(app.db, (trx) => softDeleteAds(trx, [ad.id]));
        expect((await decide(other, await appeal(seller), { action: 'reverse' })).status).toBe(200);
        const [reversed] = await seller.client.ok(api.listMyDecisions);
        expect(reversed).toMatchObject({ action: decision.action, reversedAt: expect.any(String) });
        expect((await readAd(ad.id)).state).toBe(isDeleted ? 'deleted' : 'active');
        expect((await app.db('users').where({ id: seller.id }).first()).suspended_until).toBeNull();
      }
    },
  );

  test('waits for a decision about the appeal before the ad is removed once more or deleted', async () => {
    const [seller, moderator, other] = [await createPerson(), await createStaff(), await createStaff()];
    const ad = await postAd(seller);
    const remove = ({ client }: Person) =>
      client.call(setAdStatus, { params: { id: ad.id }, body: { status: 'inactive' } });
    expect((await remove(moderator)).status).toBe(200);
    expect((await remove(moderator)).status).toBe(200);
    const id = await appeal(seller);
    await seller.client.ok(updateAd, { params: { id: ad.id }, body: adBody({ title: 'Another bicycle' }) });
    expect((await remove(moderator)).body.message).toContain('Decide about the appeal first');
    const admin = await createStaff('admin');
    expect((await admin.client.call(deleteAdAsAdmin, { params: { id: ad.id } })).status).toBe(409);
    expect((await decide(moderator, id, { action: 'uphold' })).status).toBe(403);
    expect((await decide(other, id, { action: 'uphold' })).status).toBe(200);
    expect((await remove(moderator)).status).toBe(200);
    await report(moderator, 'ad', ad.id);
    const shown = await other.client.ok(api.getCase, { params: { id: await findOpenCaseId('ad', ad.id) } });
    expect(shown.history).toMatchObject({ adsRemoved: 1 });
  });

  test('gets a removed ad back from the Ads tab: that proves its reporters wrong, as an appeal does', async () => {
    const [seller, reporter, moderator] = [await createPerson(), await createPerson(), await createStaff()];
    const ad = await postAd(seller);
    await report(reporter, 'ad', ad.id);
    await decide(moderator, await findOpenCaseId('ad', ad.id), { action: 'remove' });
    const readOutcome = () => app.db('reports').where({ reporter_id: reporter.id }).pluck('outcome');
    expect(await readOutcome()).toEqual(['upheld']);
    await moderator.client.ok(setAdStatus, { params: { id: ad.id }, body: { status: 'active' } });
    expect(await readOutcome()).toEqual(['dismissed']);
  });

  test('sees when each suspension ends after a longer one is reversed', async () => {
    const [person, moderator, other] = [await createPerson(), await createStaff(), await createStaff()];
    const suspend = (days: 1 | 30) =>
      moderator.client.ok(suspendUser, { params: { id: person.id }, body: { days, reason: 'scam' } });
    await suspend(30);
    const id = await appeal(person);
    await suspend(1);
    await decide(other, id, { action: 'reverse' });
    const [second] = await person.client.ok(api.listMyDecisions);
    expect(Date.parse(second!.until!) - Date.parse(second!.createdAt)).toBe(86_400_000);
    expect((await app.db('users').where({ id: person.id }).first()).suspended_until).toEqual(second!.until);
  });

  test('cannot appeal what is another person’s, a ban, or after 14 days', async () => {
    const [person, other, admin] = [await createPerson(), await createPerson(), await createStaff('admin')];
    await report(other, 'user', person.id);
    await decide(admin, await findOpenCaseId('user', person.id), { action: 'warn' });
    const [warning] = await person.client.ok(api.listMyDecisions);
    const call = (client: Person['client']) =>
      client.call(api.appealDecision, { params: { id: warning!.id }, body: { text: 'No' } });
    expect((await call(other.client)).status).toBe(404);
    await app
      .db('decisions')
      .where({ id: warning!.id })
      .update({ created_at: new Date(Date.now() - 15 * 86_400_000) });
    expect((await call(person.client)).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('14'),
    });
  });
});

describe('what a case keeps', () => {
  test('is without the name of a person who deleted the account', async () => {
    const [person, reporter, moderator] = [await createPerson(), await createPerson(), await createStaff()];
    await report(reporter, 'user', person.id);
    const id = await findOpenCaseId('user', person.id);
    await person.client.ok(deleteMe);
    await reporter.client.ok(deleteMe);
    const shown = await moderator.client.ok(api.getCase, { params: { id } });
    const text = JSON.stringify(shown);
    for (const { username, display_name } of [person, reporter]) {
      expect(text).not.toContain(username);
      expect(text).not.toContain(display_name);
    }
    expect(shown).toMatchObject({
      now: null,
      reported: { isGone: true },
      actions: ['dismiss'],
      reports: [{ reason: 'scam' }],
    });
    expect((await decide(moderator, id, { action: 'dismiss' })).status).toBe(200);
  });

  test('differ if only the type of the price was edited, unless the case did not keep it', async () => {
    const [seller, moderator] = [await createPerson(), await createStaff()];
    const body = adBody({ price: '40', priceType: 'negotiable' });
    const ad = await seller.client.ok(createAd, { body });
    await report(await createPerson(), 'ad', ad.id);
    const id = await findOpenCaseId('ad', ad.id);
    const readCase = () => moderator.client.ok(api.getCase, { params: { id } });
    expect(await readCase()).toMatchObject({ isEdited: false, reported: { priceType: 'negotiable' } });
    await seller.client.ok(updateAd, { params: { id: ad.id }, body: { ...body, priceType: 'wanted' } });
    expect(await readCase()).toMatchObject({ isEdited: true, now: { priceType: 'wanted' } });
    await app.db.raw("update moderation_cases set reported = reported - '{priceType,condition}'::text[] where id = ?", [
      id,
    ]);
    expect(await readCase()).toMatchObject({ isEdited: false, reported: { priceType: null } });
  });

  test('are the photos that were reported, until 90 days after the decision', async () => {
    const [seller, moderator] = [await createPerson(), await createStaff()];
    const ad = await postAd(seller, { imageUrls: [toDataUrl(await makePhoto())] });
    await report(await createPerson(), 'ad', ad.id);
    const id = await findOpenCaseId('ad', ad.id);
    await seller.client.ok(updateAd, { params: { id: ad.id }, body: adBody({ imageUrls: [] }) });
    await app.db('images').update({ created_at: '2020-01-01' });
    await deleteUnusedImages(app);
    const shown = await moderator.client.ok(api.getCase, { params: { id } });
    expect(shown).toMatchObject({ isEdited: true, reported: { imageUrls: ad.imageUrls }, now: { imageUrls: [] } });
    await decide(moderator, id, { action: 'dismiss' });
    await deleteOldCopies(app.db);
    await deleteUnusedImages(app);
    expect(await app.db('images')).toHaveLength(1);
    await app
      .db('moderation_cases')
      .where({ id })
      .update({ decided_at: app.db.raw("now() - interval '91 days'") });
    await deleteOldCopies(app.db);
    await deleteUnusedImages(app);
    expect(await app.db('images')).toEqual([]);
    expect((await moderator.client.ok(api.getCase, { params: { id } })).reported.imageUrls).toEqual([]);
  });
});

test('a report of a held ad can still be replaced by its reporter; others do not see the ad', async () => {
  const [seller, reporter] = [await createPerson(), await createPerson()];
  const ad = await postAd(seller);
  await report(reporter, 'ad', ad.id);
  await report(await createPerson(), 'ad', ad.id);
  await report(await createPerson(), 'ad', ad.id);
  const body = { targetType: 'ad', targetId: ad.id, reason: 'counterfeit' } as const;
  expect((await reporter.client.call(getAd, { params: { id: ad.id } })).status).toBe(404);
  expect((await reporter.client.call(api.createReport, { body })).status).toBe(200);
  expect((await (await createPerson()).client.call(api.createReport, { body })).status).toBe(404);
});

test('staff whose own ad is held cannot approve it', async () => {
  const [admin, other] = [await createStaff('admin'), await createStaff('admin')];
  const ad = await postAd(admin);
  const id = await hold(ad.id);
  for (const { client } of [admin, other]) {
    const answer = await client.call(setAdStatus, { params: { id: ad.id }, body: { status: 'active' } });
    expect(answer.status).toBe(403);
  }
  expect((await readAd(ad.id)).state).toBe('pending');
  await decideCase(app, operator('test'), id, { action: 'dismiss', reason: 'scam' });
  expect((await readAd(ad.id)).state).toBe('active');
});

test.each([
  ['reports', { reason: 'other', details: null }],
  ['reports', { details: 'x'.repeat(1001) }],
  ['reports', { details: '' }],
  ['reports', { weight: 3 }],
  ['reports', { reason: 'boring' }],
  ['decisions', { action: 'suspend', days: null }],
  ['decisions', { note: 'x'.repeat(501) }],
  ['decisions', { days: 3 }],
  ['decisions', { action: 'hold' }],
  ['decisions', { is_automatic: true }],
  ['decisions', { reversed_at: '2026-01-01' }],
  ['appeals', { text: '' }],
  ['appeals', { text: 'x'.repeat(1001) }],
  ['decisions', { action: 'remove' }],
  ['decisions', { action: 'hold', is_automatic: true, target_type: 'rating' }],
  ['moderation_cases', { target_type: 'offer' }],
  ['moderation_cases', { weight: -1 }],
])('the database refuses %s with %o', async (table, wrong) => {
  const { id } = await createPerson();
  const reported = { about: 'user', title: 'x', images: [] };
  const target = { target_type: 'user', target_id: id, person_id: id };
  const [opened] = await app
    .db('moderation_cases')
    .insert({ ...target, reported })
    .returning('id');
  const warning = { ...target, action: 'warn', reason: 'scam' };
  const [decision] = await app.db('decisions').insert(warning).returning('id');
  const rows: Record<string, object> = {
    reports: { case_id: opened.id, reporter_id: id, reason: 'scam', weight: 1 },
    decisions: warning,
    appeals: { decision_id: decision.id, case_id: opened.id, text: 'No' },
    moderation_cases: { ...target, target_type: 'ad', reported },
  };
  const { code } = await app
    .db(table)
    .insert({ ...rows[table], ...wrong })
    .then(
      () => ({ code: 'accepted' }),
      (error: { code: string }) => error,
    );
  expect(code).toBe('23514');
  // without the mistake it is accepted
  await app.db(table).insert(rows[table]!);
});

test('the operator neither bans nor suspends the last administrator', async () => {
  const admin = await createStaff('admin');
  await app.db('users').where({ role: 'admin' }).whereNot({ id: admin.id }).update({ banned_at: app.db.fn.now() });
  await report(await createPerson(), 'user', admin.id);
  const id = await findOpenCaseId('user', admin.id);
  for (const decision of [{ action: 'ban' }, { action: 'suspend', days: 1 }] as const)
    await expect(decideCase(app, operator('test'), id, { ...decision, reason: 'scam' })).rejects.toMatchObject({
      code: 'last_admin',
    });
  await decideCase(app, operator('test'), id, { action: 'warn', reason: 'scam' });
});

test('the only member of staff decides appeals against own decisions', async () => {
  const [seller, admin] = [await createPerson(), await createStaff('admin')];
  await app.db('users').whereNot({ role: 'user' }).whereNot({ id: admin.id }).update({ banned_at: app.db.fn.now() });
  const ad = await postAd(seller);
  await report(await createPerson(), 'ad', ad.id);
  await decide(admin, await findOpenCaseId('ad', ad.id), { action: 'remove' });
  expect((await decide(admin, await appeal(seller), { action: 'reverse' })).status).toBe(200);
});
