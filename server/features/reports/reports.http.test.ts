import { beforeAll, describe, expect, test } from 'vitest';
import { setAdStatus } from '../../../contract/admin.ts';
import { createAd, getAd, updateAd } from '../../../contract/ads.ts';
import { getConversation, sendMessage } from '../../../contract/messages.ts';
import * as api from '../../../contract/reports.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { deleteOldCopies } from './case-repository.ts';

const { app, anonymous, signIn } = await openTestApp();
// others see a change within a second; these tests want it at once
anonymous.headers.Cookie = JUST_WROTE;

beforeAll(() => insertCategories(app));

const LONG_AGO = SETTLED.created_at;
const createPerson = async (columns = {}) => {
  const user = await insertUser(app, { created_at: LONG_AGO, ...columns });
  return { ...user, client: await signIn(user.id) };
};
const openModerator = () => createPerson({ role: 'moderator' });
type Person = Awaited<ReturnType<typeof createPerson>>;
const postAd = ({ client }: Person, fields = {}) => client.ok(createAd, { body: adBody(fields) });
const readAd = (id: string) => app.db('ads').where({ id }).first();
const reportAd = ({ client }: Person, targetId: string, fields = {}) =>
  client.call(api.createReport, { body: { targetType: 'ad', targetId, reason: 'scam', ...fields } });
const reportUser = ({ client }: Person, targetId: string) =>
  client.call(api.createReport, { body: { targetType: 'user', targetId, reason: 'harassment' } });
const findOpenCase = async (targetType: string, targetId: string) =>
  (await app.db('moderation_cases').where({ target_type: targetType, target_id: targetId, decided_at: null }).first())!;
const decide = ({ client }: Person, id: string, body: object) =>
  client.call(api.decideCase, { params: { id }, body: { reason: 'scam', ...body } as never });
const notificationsOf = ({ id }: { id: string }) =>
  app.db('notifications').where({ user_id: id }).orderBy('id').pluck('title');

describe('a report', () => {
  test('is stored once for each reporter: the second replaces the first', async () => {
    const [seller, reporter] = [await createPerson(), await createPerson()];
    const ad = await postAd(seller);
    const first = await reportAd(reporter, ad.id, { details: 'Asks for money first' });
    expect(first).toMatchObject({ status: 201, body: { status: 'open' } });
    const second = await reportAd(reporter, ad.id, { reason: 'other', details: 'Now I know more' });
    expect(second).toMatchObject({ status: 200, body: first.body });
    const rows = await app.db('reports').where({ reporter_id: reporter.id });
    expect(rows).toMatchObject([{ reason: 'other', details: 'Now I know more', weight: '1.00' }]);
  });

  test('needs a person who is not reporting themselves, and a target that they see', async () => {
    const [seller, reporter, buyer] = [await createPerson(), await createPerson(), await createPerson()];
    const [ad, hidden] = [await postAd(seller), await postAd(seller)];
    await app.db('ads').where({ id: hidden.id }).update({ state: 'inactive' });
    const message = await buyer.client.ok(sendMessage, {
      body: { adId: ad.id, receiverId: seller.id, content: 'Pay me by wire' },
    });
    const status = async (person: Person, targetType: string, targetId: string) =>
      (await person.client.send('/api/reports', { method: 'POST', body: { targetType, targetId, reason: 'scam' } }))
        .status;
    expect((await anonymous.send('/api/reports', { method: 'POST', body: {} })).status).toBe(401);
    expect(await status(seller, 'ad', ad.id)).toBe(403);
    expect(await status(seller, 'user', seller.id)).toBe(403);
    expect(await status(buyer, 'message', message.id)).toBe(403);
    expect(await status(reporter, 'message', message.id)).toBe(404);
    expect(await status(reporter, 'ad', hidden.id)).toBe(404);
    expect(await status(reporter, 'ad', '999999999')).toBe(404);
    expect(await status(reporter, 'user', '999999999')).toBe(404);
    expect(await status(seller, 'message', message.id)).toBe(201);
    expect(await status(reporter, 'rating', '999999999')).toBe(404);
    expect(await status(reporter, 'decision', ad.id)).toBe(400);
    for (const [targetType, reason] of [
      ['ad', 'harassment'],
      ['user', 'wrong_category'],
      ['message', 'counterfeit'],
      ['rating', 'duplicate'],
    ] as const)
      expect(
        (await reporter.client.call(api.createReport, { body: { targetType, targetId: ad.id, reason } })).body,
      ).toMatchObject({ fields: { reason: 'Choose a reason that fits what you report' } });
    expect((await reportAd(reporter, ad.id, { reason: 'other' })).body).toMatchObject({
      fields: { details: expect.any(String) },
    });
  });

  test('about a message keeps it and the five before it, and nothing else', async () => {
    const [seller, buyer, moderator] = [await createPerson(), await createPerson(), await openModerator()];
    const ad = await postAd(seller);
    const send = (n: number) =>
      buyer.client.ok(sendMessage, { body: { adId: ad.id, receiverId: seller.id, content: `Message ${n}` } });
    const sent = [];
    for (let n = 1; n <= 9; n++) sent.push(await send(n));
    await seller.client.ok(api.createReport, {
      body: { targetType: 'message', targetId: sent[7]!.id, reason: 'harassment' },
    });
    const { id } = await findOpenCase('message', sent[7]!.id);
    const shown = await moderator.client.ok(api.getCase, { params: { id } });
    expect(shown.reported.messages.map(({ content }) => content)).toEqual(
      [3, 4, 5, 6, 7, 8].map((n) => `Message ${n}`),
    );
    expect(shown.person.id).toBe(buyer.id);
    const other = { adId: ad.id, otherUserId: seller.id };
    expect(await moderator.client.ok(getConversation, { params: other })).toEqual([]);

    // the copies go 90 days after the decision
    await moderator.client.ok(api.decideCase, { params: { id }, body: { action: 'dismiss', reason: 'other' } });
    await deleteOldCopies(app.db);
    expect(await moderator.client.ok(api.getCase, { params: { id } })).toMatchObject({ reported: shown.reported });
    await app
      .db('moderation_cases')
      .where({ id })
      .update({ decided_at: app.db.raw("now() - interval '91 days'") });
    await deleteOldCopies(app.db);
    const later = await moderator.client.ok(api.getCase, { params: { id } });
    expect(later).toMatchObject({ reported: { title: 'A message', text: '', messages: [] }, now: null });
    expect(JSON.stringify(later)).not.toMatch(/Message \d/);
  });
});

describe('a hold', () => {
  test('comes with the report that reaches the weight, and ends when the case is dismissed', async () => {
    const [seller, moderator] = [await createPerson(), await openModerator()];
    const ad = await postAd(seller);
    const before = await readAd(ad.id);
    const reporters = [await createPerson(), await createPerson(), await createPerson()];
    for (const reporter of reporters) {
      expect((await readAd(ad.id)).state).toBe('active');
      await reportAd(reporter, ad.id);
    }
    expect(await readAd(ad.id)).toMatchObject({ state: 'pending', taken_down: true, listed: false });
    expect((await anonymous.call(getAd, { params: { id: ad.id } })).status).toBe(404);
    expect(await notificationsOf(seller)).toEqual([`Your ad “${ad.title}” waits for review`]);
    const [held] = await seller.client.ok(api.listMyDecisions);
    expect(await app.db('audit_log').where({ action: 'ad.hold', target_id: ad.id })).toMatchObject([
      { actor: 'automatic', details: { weight: 3, limit: 3 } },
    ]);
    expect(held).toMatchObject({ action: 'hold', isAutomatic: true, title: ad.title, canAppeal: true });

    // the owner's edit does not bring it back
    await seller.client.ok(updateAd, {
      params: { id: ad.id },
      body: { ...adBody(), title: ad.title, description: ad.description } as never,
    });
    expect((await readAd(ad.id)).state).toBe('pending');

    const { id } = await findOpenCase('ad', ad.id);
    const decided = await decide(moderator, id, { action: 'dismiss' });
    expect(decided).toMatchObject({ status: 200, body: { status: 'decided', decision: { action: 'dismiss' } } });
    const after = await readAd(ad.id);
    for (const key of ['state', 'taken_down', 'is_approved', 'state_reason', 'listed', 'expires_at'])
      expect([key, after[key]]).toEqual([key, before[key]]);
    for (const reporter of reporters)
      expect(await notificationsOf(reporter)).toEqual(['We found no violation of our rules.']);

    for (const reporter of [await createPerson(), await createPerson(), await createPerson(), await createPerson()])
      await reportAd(reporter, ad.id);
    expect((await readAd(ad.id)).state).toBe('active');
  });

  test('ends when the ad is approved in the Ads tab, which dismisses the case', async () => {
    const [seller, admin] = [await createPerson(), await createPerson({ role: 'admin' })];
    const ad = await postAd(seller);
    const reporters = [await createPerson(), await createPerson(), await createPerson()];
    for (const reporter of reporters) await reportAd(reporter, ad.id);
    const { id } = await findOpenCase('ad', ad.id);
    await admin.client.ok(setAdStatus, { params: { id: ad.id }, body: { status: 'active' } });
    expect(await readAd(ad.id)).toMatchObject({ state: 'active', taken_down: false, listed: true });
    expect(await admin.client.ok(api.getCase, { params: { id } })).toMatchObject({ decision: { action: 'dismiss' } });
    expect((await seller.client.ok(api.listMyDecisions))[0]!.reversedAt).not.toBeNull();
    expect(await notificationsOf(reporters[0]!)).toEqual(['We found no violation of our rules.']);
  });
});

describe('a decision', () => {
  test('removes the ad; its appeal is decided by another moderator and restores exactly what was', async () => {
    const seller = await createPerson();
    const [one, two] = [await openModerator(), await openModerator()];
    const ad = await postAd(seller);
    const before = await readAd(ad.id);
    const reporter = await createPerson();
    await reportAd(reporter, ad.id);
    const { id } = await findOpenCase('ad', ad.id);
    const shown = await one.client.ok(api.getCase, { params: { id } });
    expect(shown).toMatchObject({ actions: ['dismiss', 'remove', 'warn', 'suspend'], reports: [{ reason: 'scam' }] });
    expect((await decide(one, id, { action: 'remove', note: 'Never again' })).status).toBe(200);
    expect(await readAd(ad.id)).toMatchObject({ state: 'inactive', taken_down: true, state_reason: 'Never again' });
    expect(await notificationsOf(reporter)).toEqual(['We removed the ad you reported.']);
    expect((await decide(two, id, { action: 'dismiss' })).body.message).toContain(one.display_name);

    const [removal] = await seller.client.ok(api.listMyDecisions);
    expect(removal).toMatchObject({ action: 'remove', note: 'Never again', canAppeal: true, appeal: null });
    const params = { id: removal!.id };
    const appealed = await seller.client.ok(api.appealDecision, { params, body: { text: 'It is a kettle' } });
    expect(appealed).toMatchObject({ canAppeal: false, appeal: { status: 'open', text: 'It is a kettle' } });
    expect((await seller.client.call(api.appealDecision, { params, body: { text: 'Again' } })).status).toBe(409);
    const appeal = await findOpenCase('decision', removal!.id);
    expect(await one.client.ok(api.getCase, { params: { id: appeal.id } })).toMatchObject({ actions: [] });
    expect((await decide(one, appeal.id, { action: 'reverse' })).status).toBe(403);
    expect((await decide(two, appeal.id, { action: 'remove' })).status).toBe(400);
    expect((await decide(two, appeal.id, { action: 'reverse', note: 'It is a kettle' })).status).toBe(200);
    const after = await readAd(ad.id);
    const { updated_at: _, ...same } = before;
    expect(after).toMatchObject(same);
    const [reversed] = await seller.client.ok(api.listMyDecisions);
    expect(reversed).toMatchObject({ appeal: { status: 'reversed', note: 'It is a kettle' }, canAppeal: false });
    expect(await notificationsOf(seller)).toEqual([
      `We removed your ad “${ad.title}”`,
      `We reversed our decision about your ad “${ad.title}”`,
    ]);
  });

  test('suspends for some days; the reversal ends that suspension and no other', async () => {
    const [person, reporter, one, two] = [
      await createPerson(),
      await createPerson(),
      await openModerator(),
      await openModerator(),
    ];
    const ad = await postAd(person);
    await reportUser(reporter, person.id);
    await decide(one, (await findOpenCase('user', person.id)).id, { action: 'suspend', days: 7 });
    expect((await readAd(ad.id)).seller_banned).toBe(true);
    await app.db('moderation_cases').insert({
      target_type: 'user',
      target_id: person.id,
      person_id: person.id,
      reported: {
        about: 'user',
        title: 'x',
        text: '',
        images: [],
        messages: [],
        price: null,
        category: null,
        state: null,
        content: null,
      },
    });
    await decide(one, (await findOpenCase('user', person.id)).id, { action: 'suspend', days: 1 });
    const [day, week] = await app.db('decisions').where({ person_id: person.id }).orderBy('id', 'desc');
    const reverse = async (decision: { id: string }) => {
      await person.client.ok(api.appealDecision, { params: { id: decision.id }, body: { text: 'Please' } });
      expect((await decide(two, (await findOpenCase('decision', decision.id)).id, { action: 'reverse' })).status).toBe(
        200,
      );
      return (await app.db('users').where({ id: person.id }).first()).suspended_until;
    };
    const left = Date.parse(await reverse(week)) - Date.now();
    expect(left).toBeGreaterThan(23 * 3_600_000);
    expect(left).toBeLessThan(25 * 3_600_000);
    expect(await reverse(day)).toBeNull();
    expect((await readAd(ad.id)).seller_banned).toBe(false);
  });
});
