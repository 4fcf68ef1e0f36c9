import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { listRatings, rateDeal, replyToRating } from '../../../contract/ratings.ts';
import * as api from '../../../contract/reports.ts';
import { deleteMe, exportMyData, getProfile } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import {
  adBody,
  insertCategories,
  insertEmptyConversation,
  insertUser,
  nextSerial,
  SETTLED,
} from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();
beforeAll(() => insertCategories(app));

const createPerson = async (columns = {}) => {
  const user = await insertUser(app, { ...SETTLED, ...columns });
  return { ...user, client: await signIn(user.id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;

/** A deal that both rated: the buyer badly, the seller well. `id` is the rating of the seller. */
const openRated = async () => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  const title = `Sofa ${nextSerial()}`;
  const ad = await seller.client.ok(createAd, { body: adBody({ title }) });
  const ends_at = app.db.raw("now() + interval '14 days'");
  const people = { ad_id: ad.id, seller_id: seller.id, buyer_id: buyer.id };
  await insertEmptyConversation(app, people);
  const [deal] = await app
    .db('deals')
    .insert({ ...people, ends_at })
    .returning('id');
  const params = { id: deal.id };
  await seller.client.ok(rateDeal, { params, body: { value: 'good' } });
  const body = { value: 'bad', tags: ['no_show'], text: 'CANARY of a rating' } as const;
  const rating = await buyer.client.ok(rateDeal, { params, body: { ...body, tags: [...body.tags] } });
  return { seller, buyer, dealId: deal.id as string, id: rating.id, title };
};
const ratingsOf = ({ id }: Person) => anonymous.ok(listRatings, { params: { id } });
const figureOf = async ({ username }: Person) =>
  (await anonymous.ok(getProfile, { params: { username: username! } })).user.rating;
const report = ({ client }: Person, targetId: string) =>
  client.call(api.createReport, { body: { targetType: 'rating', targetId, reason: 'offensive' } });
const findOpenCaseId = async (target_type: string, target_id: string): Promise<string> =>
  (await app.db('moderation_cases').where({ target_type, target_id, decided_at: null }).first()).id;
const decide = ({ client }: Person, id: string, action: 'dismiss' | 'remove' | 'reverse' | 'warn') =>
  client.call(api.decideCase, { params: { id }, body: { action, reason: 'offensive', note: 'Be fair.' } });
const createStaff = () => createPerson({ role: 'moderator' });
const titlesOf = async ({ client }: Person) => (await client.ok(listNotifications)).map(({ title }) => title);

describe('a report of a rating', () => {
  test('opens a case with its text, where it is shown, and whom a decision concerns', async () => {
    const { seller, buyer, id } = await openRated();
    await seller.client.ok(replyToRating, { params: { id }, body: { text: 'I waited for an hour.' } });
    expect((await report(seller, id)).status).toBe(201);
    expect((await report(seller, id)).status, 'again').toBe(200);
    const staff = await createStaff();
    const found = await staff.client.ok(api.getCase, { params: { id: await findOpenCaseId('rating', id) } });
    expect(found).toMatchObject({
      targetType: 'rating',
      title: 'Bad rating',
      person: { id: buyer.id },
      isEdited: false,
      actions: ['dismiss', 'remove', 'warn', 'suspend'],
      now: {
        text: 'Did not show up\n\nCANARY of a rating\n\nReply: I waited for an hour.',
        url: `/users/${seller.username}#ratings`,
        isGone: false,
      },
    });
  });

  test('is for everyone who sees it, apart from its rater', async () => {
    const { buyer, id } = await openRated();
    expect((await report(buyer, id)).status).toBe(403);
    expect((await report(await createPerson(), id)).status).toBe(201);
    expect((await report(buyer, '999999')).status).toBe(404);
  });

  test('of a hidden rating is refused as if it did not exist', async () => {
    const { seller, id } = await openRated();
    await app.db('ratings').where({ id }).update({ revealed_at: null });
    expect((await report(seller, id)).status).toBe(404);
  });
});

describe('a removed rating', () => {
  const remove = async () => {
    const rated = await openRated();
    await report(rated.seller, rated.id);
    const staff = await createStaff();
    const caseId = await findOpenCaseId('rating', rated.id);
    expect((await decide(staff, caseId, 'remove')).status).toBe(200);
    return { ...rated, staff, caseId };
  };

  test('leaves no trace on the profile and in the figure, and the other rating stays', async () => {
    const { seller, buyer } = await openRated();
    expect([await figureOf(seller), await figureOf(buyer)]).toEqual([
      { deals: 1, positive: 0 },
      { deals: 1, positive: 100 },
    ]);
    const removed = await remove();
    expect([await ratingsOf(removed.seller), await figureOf(removed.seller)]).toEqual([[], undefined]);
    expect([(await ratingsOf(removed.buyer)).length, await figureOf(removed.buyer)]).toEqual([
      1,
      { deals: 1, positive: 100 },
    ]);
  });

  test('comes with a statement of reasons for its rater, and the outcome for the reporter', async () => {
    const { seller, buyer, title } = await remove();
    const [decision] = await buyer.client.ok(api.listMyDecisions);
    expect(decision).toMatchObject({
      action: 'remove',
      targetType: 'rating',
      title,
      url: null,
      note: 'Be fair.',
      canAppeal: true,
    });
    expect((await titlesOf(buyer))[0]).toBe(`We removed your rating of the deal “${title}”`);
    expect((await titlesOf(seller))[0]).toBe('We took action on what you reported.');
  });

  test('comes back with the figure when the appeal is granted', async () => {
    const { seller, buyer, id } = await remove();
    const [decision] = await buyer.client.ok(api.listMyDecisions);
    await buyer.client.ok(api.appealDecision, { params: { id: decision!.id }, body: { text: 'It is true' } });
    const other = await createStaff();
    const appeal = await findOpenCaseId('decision', decision!.id);
    const seen = await other.client.ok(api.getCase, { params: { id: appeal } });
    expect(seen).toMatchObject({ now: { state: 'removed' }, appeal: { contested: { targetType: 'rating' } } });
    expect((await decide(other, appeal, 'reverse')).status).toBe(200);
    expect((await ratingsOf(seller)).map((rating) => rating.id)).toEqual([id]);
    expect(await figureOf(seller)).toEqual({ deals: 1, positive: 0 });
    expect((await report(seller, id)).status, 'and can be reported again').toBe(201);
    expect((await decide(other, await findOpenCaseId('rating', id), 'remove')).status).toBe(200);
  });

  test('takes neither a reply nor another report', async () => {
    const { seller, id } = await remove();
    expect((await seller.client.call(replyToRating, { params: { id }, body: { text: 'Ha' } })).status).toBe(404);
    expect((await report(seller, id)).status).toBe(404);
  });

  test('has no appeal after its deal was undone', async () => {
    const { buyer, dealId } = await remove();
    await app.db('deals').where({ id: dealId }).delete();
    const [decision] = await buyer.client.ok(api.listMyDecisions);
    expect(decision!.canAppeal).toBe(false);
  });

  test('two moderators decide at once: the second sees what the first decided', async () => {
    const { seller, id } = await openRated();
    await report(seller, id);
    const [one, two] = [await createStaff(), await createStaff()];
    const caseId = await findOpenCaseId('rating', id);
    const answers = await Promise.all([decide(one, caseId, 'remove'), decide(two, caseId, 'remove')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.message).toMatch(
      /^Person \d+ has decided this case already: Remove rating$/,
    );
  });

  test('a removal while the deal is undone leaves no rating, no figure and no open case', async () => {
    for (let round = 0; round < 4; round++) {
      const { seller, id, dealId } = await openRated();
      await report(seller, id);
      const [staff, caseId] = [await createStaff(), await findOpenCaseId('rating', id)];
      const undo = app.db('deals').where({ id: dealId }).delete();
      const [decided] = await Promise.all([decide(staff, caseId, 'remove'), undo]);
      expect([200, 409]).toContain(decided.status);
      if (decided.status === 409) expect((await decide(staff, caseId, 'dismiss')).status).toBe(200);
      expect(await ratingsOf(seller)).toEqual([]);
    }
  });
});

describe('a deleted account', () => {
  test('keeps the ratings it gave, under "Deleted user", and loses those it received', async () => {
    const { seller, buyer } = await openRated();
    await buyer.client.ok(deleteMe);
    expect(await ratingsOf(seller)).toEqual([
      expect.objectContaining({
        text: 'CANARY of a rating',
        rater: expect.objectContaining({ displayName: 'Deleted user', username: null }),
      }),
    ]);
    expect(await figureOf(seller)).toEqual({ deals: 1, positive: 0 });
    expect(await app.db('ratings').where({ rated_id: buyer.id })).toEqual([]);
  });
});

test('the export has the ratings given and the public ones received, and no hidden one', async () => {
  const { seller, buyer, dealId } = await openRated();
  const textsOf = async ({ client }: Person) =>
    (await client.call(exportMyData)).body.ratings.map(({ text }: { text: string }) => text).sort();
  expect(await textsOf(seller)).toEqual(['', 'CANARY of a rating']);
  await app.db('ratings').where({ deal_id: dealId }).update({ revealed_at: null });
  expect([await textsOf(seller), await textsOf(buyer)]).toEqual([[''], ['CANARY of a rating']]);
});
