import { beforeAll, describe, expect, test } from 'vitest';
import * as api from '../../../contract/admin.ts';
import { createAd, getAd, listAds, renewAd, setAdSold, updateAd } from '../../../contract/ads.ts';
import { getMe } from '../../../contract/auth.ts';
import { listFavorites, toggleFavorite } from '../../../contract/favorites.ts';
import { getConversation, sendMessage } from '../../../contract/messages.ts';
import { suggestSearches } from '../../../contract/search.ts';
import { deleteMe, exportMyData, getProfile, listUserAds } from '../../../contract/users.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { operator } from '../../policy.ts';
import { finishAdsUpdate } from '../account/removal.ts';
import { lockUserAndAdmins } from '../users/repository.ts';
import { banUser } from './service.ts';

const { app, anonymous, signIn, createPerson } = await openTestApp();
// others see a change within a second; these tests want it at once
anonymous.headers.Cookie = JUST_WROTE;

beforeAll(() => insertCategories(app));

const createAdmin = () => createPerson({ role: 'admin' });
const postAd = ({ client }: Person, fields = {}) => client.ok(createAd, { body: adBody(fields) });
const auditOf = (action: string) => app.db('audit_log').where({ action }).orderBy('id', 'desc');
const isListed = async (id: string) =>
  (await anonymous.ok(listAds, { query: { limit: '100' } })).some((ad) => ad.id === id);

describe('a ban', () => {
  test('ends every session, takes the ads out of view, refuses writing, and is undone by unbanning', async () => {
    const [admin, seller] = [await createAdmin(), await createPerson()];
    const ad = await postAd(seller);
    const banned = await admin.client.ok(api.banUser, { params: { id: seller.id }, body: { reason: 'Spam' } });
    expect(banned).toMatchObject({ isBanned: true, banReason: 'Spam', adCount: 1 });
    expect((await seller.client.call(getMe)).status).toBe(401);
    expect(await app.db('sessions').where({ user_id: seller.id })).toEqual([]);
    expect(await app.db('ads').where({ id: ad.id }).first('listed')).toEqual({ listed: false });
    expect((await anonymous.call(getAd, { params: { id: ad.id } })).status).toBe(404);
    expect((await anonymous.call(getProfile, { params: { username: seller.username! } })).status).toBe(404);
    expect(await isListed(ad.id)).toBe(false);
    expect((await auditOf('user.ban'))[0]).toMatchObject({ actor_id: admin.id, target_id: seller.id });

    await admin.client.ok(api.unbanUser, { params: { id: seller.id } });
    expect(await isListed(ad.id)).toBe(true);
    expect((await (await signIn(seller.id)).call(getMe)).status).toBe(200);
    expect((await auditOf('user.unban'))[0]).toMatchObject({ actor_id: admin.id, target_id: seller.id });
  });

  test('does not bring back what had expired meanwhile or was taken down', async () => {
    const [admin, seller] = [await createAdmin(), await createPerson()];
    const [old, down] = [await postAd(seller), await postAd(seller)];
    await admin.client.ok(api.setAdStatus, { params: { id: down.id }, body: { status: 'inactive' } });
    const params = { id: seller.id };
    await admin.client.ok(api.banUser, { params });
    await app.db('ads').where({ id: old.id }).update({ expires_at: '2020-01-01' });
    await admin.client.ok(api.unbanUser, { params });
    const states = await app.db('ads').where({ user_id: seller.id }).orderBy('id').select('state', 'listed');
    expect(states).toEqual([
      { state: 'expired', listed: false },
      { state: 'inactive', listed: false },
    ]);
  });

  test('or a deletion holds even where a session was left behind', async () => {
    for (const column of ['banned_at', 'deleted_at']) {
      const person = await createPerson();
      await app
        .db('users')
        .where({ id: person.id })
        .update({ [column]: new Date() });
      expect((await person.client.call(getMe)).status).toBe(401);
    }
  });

  test('never hits oneself, and never the last administrator', async () => {
    const admin = await createAdmin();
    const oneself = await admin.client.call(api.banUser, { params: { id: admin.id } });
    expect([oneself.status, oneself.body.message]).toEqual([409, 'You cannot ban yourself']);
    await app.db('users').where({ role: 'admin' }).whereNot({ id: admin.id }).update({ role: 'user' });
    await expect(banUser(app, operator('terminal'), admin.id)).rejects.toMatchObject({ code: 'last_admin' });
    expect(await auditOf('user.ban').where({ target_id: admin.id })).toEqual([]);
  });

  test('of an administrator is for the operator alone, and of two bans at the same moment one administrator stays', async () => {
    for (let round = 0; round < 5; round++) {
      await app.db('users').where({ role: 'admin' }).update({ role: 'user' });
      const [one, two] = [await createAdmin(), await createAdmin()];
      const { status, body } = await one.client.call(api.banUser, { params: { id: two.id } });
      expect([status, body.message]).toEqual([403, 'Only the operator can act on a person of this role.']);
      const bans = await Promise.allSettled([one, two].map(({ id }) => banUser(app, operator('terminal'), id)));
      expect(bans.filter((ban) => ban.status === 'fulfilled')).toHaveLength(1);
      expect(bans.find((ban) => ban.status === 'rejected')?.reason).toMatchObject({ code: 'last_admin' });
      expect(await app.db('users').where({ role: 'admin', banned_at: null })).toHaveLength(1);
    }
  });
});

test('while staff act on one person, administrators go on acting on others', async () => {
  const [one, two, first, second] = [
    await createAdmin(),
    await createAdmin(),
    await createPerson(),
    await createPerson(),
  ];
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const slow = inTransaction(app.db, async (trx) => {
    await lockUserAndAdmins(trx, first.id, { kind: 'user', id: one.id, role: 'admin' });
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  for (const work of [
    two.client.call(api.banUser, { params: { id: second.id } }),
    two.client.call(api.unbanUser, { params: { id: second.id } }),
  ])
    expect((await work).status).toBeLessThan(300);
  held.resolve();
  await slow;
});

/** A seller with more ads than one batch changes, while no worker runs. */
const createBigSeller = async (columns = {}) => {
  const seller = await createPerson(columns);
  const [first, ...others] = [await postAd(seller, { title: 'Quagga' }), await postAd(seller)];
  await app.db.raw(
    `insert into ads (user_id, category_id, title, description, price)
     select user_id, category_id, title, description, price from ads, generate_series(1, 1100) where id = ?`,
    [first.id],
  );
  const newest = await app.db('ads').where({ user_id: seller.id }).max<{ max: string }[]>('id');
  return { ...seller, ads: [first.id, ...others.map(({ id }) => id), newest[0]!.max] };
};
const countListed = async (userId: string) =>
  Number((await app.db('ads').where({ user_id: userId, listed: true }).count())[0]!.count);
const finishJob = async (userId: string) => {
  const jobs = await app.db('graphile_worker.jobs').where({ task_identifier: 'update-seller-ads' });
  expect(jobs.map(({ key }) => key)).toContain(`seller-ads-${userId}`);
  await finishAdsUpdate(app, userId);
};

describe('a seller with many ads', () => {
  const expectHidden = async (seller: Awaited<ReturnType<typeof createBigSeller>>) => {
    for (const id of seller.ads) {
      expect((await anonymous.call(getAd, { params: { id } })).status).toBe(404);
      expect(await isListed(id)).toBe(false);
    }
    const found = await anonymous.ok(listAds, { query: { search: 'quagga', limit: '100' } });
    expect(found.filter(({ userId }) => userId === seller.id)).toEqual([]);
    expect(JSON.stringify(await anonymous.ok(suggestSearches, { query: { search: 'quag' } }))).not.toContain('quagga');
    expect(await anonymous.ok(listUserAds, { params: { id: seller.id } })).toEqual([]);
    expect((await anonymous.call(getProfile, { params: { username: seller.username! } })).status).toBe(404);
    expect((await seller.client.call(getMe)).status).toBe(401);
  };

  test('is out of public view with the response to the ban; the rows follow in batches, and so do they back', async () => {
    const [admin, seller, buyer] = [await createAdmin(), await createBigSeller(), await createPerson()];
    const params = { id: seller.id };
    expect(await isListed(seller.ads.at(-1)!)).toBe(true);
    expect(JSON.stringify(await anonymous.ok(suggestSearches, { query: { search: 'quagg' } }))).toContain('quagga');
    expect(await admin.client.ok(api.banUser, { params })).toMatchObject({ isBanned: true, isUpdatePending: true });
    expect(await countListed(seller.id)).toBeGreaterThan(500);
    await expectHidden(seller);
    for (const id of seller.ads) expect((await buyer.client.call(toggleFavorite, { params: { id } })).status).toBe(404);
    await finishJob(seller.id);
    expect(await countListed(seller.id)).toBe(0);
    await expectHidden(seller);

    expect(await admin.client.ok(api.unbanUser, { params })).toMatchObject({ isBanned: false, isUpdatePending: true });
    await finishJob(seller.id);
    expect(await countListed(seller.id)).toBe(1102);
    const [row] = await admin.client.ok(api.listAdminUsers, { query: { search: seller.id } });
    expect(row).toMatchObject({ isUpdatePending: false });
    expect(await isListed(seller.ads.at(-1)!)).toBe(true);
  });

  test.each([
    ['banned_at', 'The account of the other person has been suspended.'],
    ['deleted_at', 'The account of the other person has been deleted.'],
  ])('gets no first message that waits for the change of %s, before it has reached the ad', async (column, message) => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const { id: adId } = await postAd(seller);
    const change = await app.db.transaction();
    await change('users')
      .where({ id: seller.id })
      .update({ [column]: new Date() });
    const body = { adId, receiverId: seller.id, content: 'Hi' };
    const sending = buyer.client.call(sendMessage, { body });
    // other test files use the same PostgreSQL
    const waiting = () =>
      app
        .db('pg_locks as l')
        .join('pg_stat_activity as a', 'a.pid', 'l.pid')
        .where({ 'l.locktype': 'transactionid', 'l.granted': false })
        .whereRaw('a.datname = current_database()');
    await expect.poll(waiting).toHaveLength(1);
    await change.commit();
    expect((await sending).body).toMatchObject({ code: 'messages_not_allowed', message });
    expect(await app.db('messages').where({ receiver_id: seller.id })).toEqual([]);
  });

  test('who was deleted is gone from favorites while a job deletes the rest', async () => {
    const [seller, buyer] = [await createBigSeller(), await createPerson()];
    const id = seller.ads.at(-1)!;
    await buyer.client.ok(toggleFavorite, { params: { id } });
    await seller.client.call(deleteMe);
    expect(await app.db('favorites').where({ ad_id: id })).toHaveLength(1);
    expect(await buyer.client.ok(listFavorites)).toEqual([]);
    await finishJob(seller.id);
    expect(await app.db('favorites').where({ ad_id: id })).toEqual([]);
  });

  test('who is unbanned while the ban is still under way keeps every ad', async () => {
    const [admin, seller] = [await createAdmin(), await createBigSeller()];
    const params = { id: seller.id };
    await admin.client.ok(api.banUser, { params });
    await admin.client.ok(api.unbanUser, { params });
    await finishAdsUpdate(app, seller.id);
    expect(await countListed(seller.id)).toBe(1102);
  });

  test('deletes the account at once and the ads in batches', async () => {
    const seller = await createBigSeller();
    expect((await seller.client.call(deleteMe)).status).toBe(204);
    await expectHidden(seller);
    expect(await app.db('ads').where({ user_id: seller.id }).whereNot({ state: 'deleted' })).not.toEqual([]);
    await finishJob(seller.id);
    expect(await app.db('ads').where({ user_id: seller.id }).whereNot({ state: 'deleted' })).toEqual([]);
    expect(await app.db('ads').where({ user_id: seller.id }).whereNot({ title: '' })).toEqual([]);
  });

  test('who was deleted does not cut the list of ads short while a job deletes the rest', async () => {
    const admin = await createAdmin();
    const kept = await postAd(await createPerson(), { title: 'Quagga kept' });
    const seller = await createBigSeller();
    expect((await admin.client.call(api.deleteUser, { params: { id: seller.id } })).status).toBe(204);
    expect(await app.db('ads').where({ user_id: seller.id }).whereNot({ state: 'deleted' })).not.toEqual([]);
    for (const query of [{}, { search: 'quagga' }, { state: 'active' as const }, { category: kept.categorySlug }]) {
      const page = await admin.client.ok(api.listAdminAds, { query: { ...query, limit: '100' } });
      expect(page.map(({ userId }) => userId)).not.toContain(seller.id);
      expect(
        page.map(({ id }) => id),
        JSON.stringify(query),
      ).toContain(kept.id);
    }
    await finishJob(seller.id);
  });

  test('who was deleted leaves nothing of the ads in conversations while a job deletes the rest', async () => {
    const [seller, buyer] = [await createBigSeller(), await createPerson()];
    // the first transaction deletes a batch in the order of the table
    const adId = seller.ads.at(-1)!;
    await app.db('ads').where({ id: adId }).update({ price: '4321' });
    const params = { adId, otherUserId: seller.id };
    await buyer.client.ok(sendMessage, { body: { adId, receiverId: seller.id, content: 'Hi' } });
    await seller.client.call(deleteMe);
    expect(await app.db('ads').where({ id: adId }).first('state')).toEqual({ state: 'active' });
    const before = await buyer.client.ok(getConversation, { params });
    expect(before[0]!.ad).toMatchObject({ title: 'Deleted ad', price: '0.00', isDeleted: true, imageUrls: [] });
    await finishJob(seller.id);
    const after = await buyer.client.ok(getConversation, { params });
    expect(after).toEqual(before);
  });

  test('does not hold up other bans and deletions', async () => {
    const [admin, seller] = [await createAdmin(), await createBigSeller()];
    await admin.client.ok(api.banUser, { params: { id: seller.id } });
    const batch = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const finished = finishAdsUpdate(app, seller.id, () => {
      reached.resolve();
      return batch.promise;
    });
    await reached.promise;
    const other = await createPerson();
    expect((await admin.client.call(api.banUser, { params: { id: other.id } })).status).toBe(200);
    expect((await (await createPerson()).client.call(deleteMe)).status).toBe(204);
    batch.resolve();
    await finished;
    expect(await countListed(seller.id)).toBe(0);
  });
});

describe('deleting a user', () => {
  test('removes the person and all their ads; their messages stay for the other party', async () => {
    const [admin, seller, buyer] = [
      await createAdmin(),
      await createPerson({ email: 'x@y.example' }),
      await createPerson(),
    ];
    const imageUrls = [toDataUrl(await makePhoto({ width: 200, height: 200 }))];
    const ad = await postAd(seller, { imageUrls });
    await buyer.client.ok(sendMessage, { body: { adId: ad.id, receiverId: seller.id, content: 'Hi' } });
    await seller.client.ok(sendMessage, { body: { adId: ad.id, receiverId: buyer.id, content: 'My address' } });
    expect((await admin.client.call(api.deleteUser, { params: { id: seller.id } })).status).toBe(204);

    const row = await app.db('users').where({ id: seller.id }).first();
    expect(row).toMatchObject({ x_id: null, username: null, email: null, display_name: 'Deleted user' });
    expect((await seller.client.call(getMe)).status).toBe(401);
    expect((await anonymous.call(getAd, { params: { id: ad.id } })).status).toBe(404);
    expect(await app.db('ad_images').where({ ad_id: ad.id })).toEqual([]);
    const thread = await buyer.client.ok(getConversation, { params: { adId: ad.id, otherUserId: seller.id } });
    expect(thread.map(({ content }) => content)).toEqual(['Hi', 'My address']);
    expect(thread[0]).toMatchObject({
      ad: { title: 'Deleted ad' },
      receiver: { displayName: 'Deleted user', isDeleted: true },
    });
    expect(thread[0]!.sender.isDeleted).toBeUndefined();
    expect((await admin.client.call(api.deleteUser, { params: { id: seller.id } })).status).toBe(404);
    expect((await auditOf('user.delete'))[0]).toMatchObject({ actor_id: admin.id, target_id: seller.id });
  });

  test('is offered to everybody about themselves, but not to the last administrator', async () => {
    const person = await createPerson();
    await postAd(person);
    expect((await person.client.call(deleteMe)).status).toBe(204);
    expect((await person.client.call(getMe)).status).toBe(401);
    expect(await app.db('ads').where({ user_id: person.id })).toMatchObject([{ state: 'deleted', title: '' }]);

    await app.db('users').where({ role: 'admin' }).update({ role: 'user' });
    const admin = await createAdmin();
    expect((await admin.client.call(deleteMe)).body.code).toBe('last_admin');
    await createAdmin();
    expect((await admin.client.call(deleteMe)).status).toBe(204);
  });

  test('leaves the way open for a new account of the same X user', async () => {
    const person = await createPerson();
    await person.client.call(deleteMe);
    const again = await insertUser(app, { x_id: person.x_id, username: person.username });
    expect(again.id).not.toBe(person.id);
  });
});

test('the export holds everything of oneself and nothing of others', async () => {
  const [me, other] = [await createPerson({ email: 'me@mail.example' }), await createPerson()];
  const ad = await postAd(me, { title: 'My kettle' });
  const foreign = await postAd(other, { title: 'Foreign thing' });
  await me.client.ok(sendMessage, { body: { adId: foreign.id, receiverId: other.id, content: 'Hello there' } });
  const { body, headers } = await me.client.call(exportMyData);
  expect(headers.get('content-disposition')).toContain('attachment');
  expect(body).toMatchObject({
    profile: { id: me.id, email: 'me@mail.example', username: me.username },
    ads: [{ id: ad.id, title: 'My kettle' }],
    messages: [{ content: 'Hello there', senderId: me.id }],
    sessions: [{ kind: 'x' }],
    favorites: [],
  });
  expect(JSON.stringify(body)).not.toContain('Foreign thing');
  expect(JSON.stringify(body)).not.toMatch(/sid_hash|token_?hash|tp_pat|[a-z]_token|password/i);
});

describe('moderation', () => {
  const setSettings = async (settings: Partial<api.Settings>) => {
    const admin = await createAdmin();
    const before = await admin.client.ok(api.getSettings);
    await admin.client.ok(api.updateSettings, { body: { ...before, ...settings } });
  };
  const decide = (admin: Person, id: string, body: { status: 'active' | 'inactive'; reason?: string }) =>
    admin.client.ok(api.setAdStatus, { params: { id }, body });

  test('in manual mode an ad waits, is counted, approved, and live', async () => {
    const [admin, seller] = [await createAdmin(), await createPerson()];
    await setSettings({ moderationMode: 'manual' });
    const ad = await postAd(seller);
    expect(ad).toMatchObject({ state: 'pending', isActive: false });
    expect(await isListed(ad.id)).toBe(false);
    expect((await anonymous.call(getAd, { params: { id: ad.id } })).status).toBe(404);
    expect((await admin.client.ok(api.getAdminStats)).pendingAds).toBe(1);
    expect(await admin.client.ok(api.listAdminAds, { query: { state: 'pending' } })).toMatchObject([{ id: ad.id }]);
    expect(await decide(admin, ad.id, { status: 'active' })).toMatchObject({ state: 'active', isActive: true });
    expect(await isListed(ad.id)).toBe(true);
    expect((await auditOf('ad.approve'))[0]).toMatchObject({ target_id: ad.id });
    await setSettings({ moderationMode: 'automatic' });
  });

  test('a rejection tells its reason to the owner, and an edit asks for review again', async () => {
    const [admin, seller] = [await createAdmin(), await createPerson()];
    const ad = await postAd(seller);
    await decide(admin, ad.id, { status: 'inactive', reason: 'Too blurry' });
    const params = { id: ad.id };
    expect(await seller.client.ok(getAd, { params })).toMatchObject({ state: 'inactive', stateReason: 'Too blurry' });
    expect((await seller.client.call(renewAd, { params })).status).toBe(409);
    const { version: _old, ...posted } = ad;
    const same = { ...posted, allowMessages: false };
    expect(await seller.client.ok(updateAd, { params, body: adBody(same) })).toMatchObject({ state: 'inactive' });
    // again and again: what an administrator took down never comes back by edits alone
    for (const location of ['Ghent', 'Bruges'])
      expect(await seller.client.ok(updateAd, { params, body: adBody({ location }) })).toMatchObject({
        state: 'pending',
        isActive: false,
      });
    expect(await isListed(ad.id)).toBe(false);
    expect(await decide(admin, ad.id, { status: 'active' })).toMatchObject({ state: 'active', stateReason: null });
  });

  test('in trusted mode the verified and those with three approved ads need no review', async () => {
    const [admin, seller] = [await createAdmin(), await createPerson()];
    const verified = await createPerson({ is_verified: true });
    await setSettings({ moderationMode: 'trusted' });
    expect(await postAd(verified)).toMatchObject({ state: 'active' });
    for (let i = 0; i < 3; i++) {
      const ad = await postAd(seller);
      expect(ad.state).toBe('pending');
      await decide(admin, ad.id, { status: 'active' });
    }
    expect((await postAd(seller)).state).toBe('active');
    await setSettings({ moderationMode: 'automatic' });
  });

  test('a banned word sends an ad to review, when posted and when edited, as a whole word only', async () => {
    const seller = await createPerson({ is_verified: true });
    await setSettings({ bannedWords: ['scam', 'free money'] });
    expect((await postAd(seller, { title: 'No SCAM!' })).state).toBe('pending');
    expect((await postAd(seller, { description: 'get free\nMoney today' })).state).toBe('pending');
    const ad = await postAd(seller, { title: 'Scampi, fresh' });
    expect(ad.state).toBe('active');
    const params = { id: ad.id };
    expect(await seller.client.ok(updateAd, { params, body: adBody({ title: 'scam' }) })).toMatchObject({
      state: 'pending',
    });
    expect(await seller.client.ok(updateAd, { params, body: adBody() })).toMatchObject({ state: 'active' });
  });

  test('the number of images and the days until an ad expires follow the settings at once', async () => {
    const seller = await createPerson();
    const imageUrls = [toDataUrl(await makePhoto({ width: 64, height: 64 }))];
    await setSettings({ maxImagesPerAd: 0, maxAdDurationDays: 3 });
    const refused = await seller.client.call(createAd, { body: adBody({ imageUrls }) });
    expect(refused.body.fields).toEqual({ imageUrls: 'You can upload a maximum of 0 images.' });
    const ad = await postAd(seller);
    expect(Math.round((Date.parse(ad.expiresAt!) - Date.now()) / 86_400_000)).toBe(3);
    await setSettings({ maxImagesPerAd: 5, maxAdDurationDays: 0 });
    expect((await postAd(seller)).expiresAt).toBeNull();
    await setSettings({ maxAdDurationDays: 30 });
  });

  test('settings are validated, and each change is in the audit log with before and after', async () => {
    const admin = await createAdmin();
    const { version, ...before } = await admin.client.ok(api.getSettings);
    for (const wrong of [
      { moderationMode: 'none' },
      { maxImagesPerAd: 6 },
      { maxAdDurationDays: -1 },
      { bannedWords: [' '] },
    ])
      expect((await admin.client.call(api.updateSettings, { body: { ...before, ...wrong } as never })).status).toBe(
        400,
      );
    const after = { ...before, bannedWords: ['one', 'two'] };
    expect(await admin.client.ok(api.updateSettings, { body: { ...after, version } })).toEqual({
      ...after,
      version: expect.not.stringMatching(version),
    });
    expect((await auditOf('settings.update'))[0]).toMatchObject({ actor_id: admin.id, details: { before, after } });
  });
});

test('settings that another administrator has changed in the meantime are not overwritten', async () => {
  const [one, other] = [await createAdmin(), await createAdmin()];
  const settings = await one.client.ok(api.getSettings);
  expect(await other.client.ok(api.getSettings)).toEqual(settings);
  const saved = await one.client.ok(api.updateSettings, { body: { ...settings, maxImagesPerAd: 4 } });
  const late = await other.client.call(api.updateSettings, { body: { ...settings, maxAdDurationDays: 7 } });
  expect([late.status, late.body.code]).toEqual([409, 'conflict']);
  expect(await one.client.ok(api.getSettings)).toEqual(saved);
  const again = { ...saved, maxAdDurationDays: 7 };
  expect(await other.client.ok(api.updateSettings, { body: again })).toMatchObject({ maxAdDurationDays: 7 });
  const { version: _none, ...unversioned } = settings;
  expect((await one.client.call(api.updateSettings, { body: unversioned })).status).toBe(200);
});

describe('the tables', () => {
  test('users are found by name, state and role, with their number of ads', async () => {
    const admin = await createAdmin();
    const person = await createPerson({ username: 'Zed_Finder', email: 'zed@mail.example' });
    await postAd(person);
    const find = (query: object) => admin.client.ok(api.listAdminUsers, { query });
    expect(await find({ search: '@zed_f' })).toMatchObject([
      { id: person.id, email: 'zed@mail.example', twitterId: person.x_id, adCount: 1, isBanned: false },
    ]);
    expect(await find({ search: person.id })).toHaveLength(1);
    expect(await find({ search: '%' })).toEqual([]);
    expect(await find({ search: 'zed_f', status: 'banned' })).toEqual([]);
    expect((await find({ role: 'admin' })).every((user) => user.role === 'admin')).toBe(true);
    const page = await admin.client.call(api.listAdminUsers, { query: { limit: '1' } });
    expect([page.body.length, page.headers.get('link')]).toEqual([1, expect.stringContaining('rel="next"')]);
  });

  test('ads of every state are found by words, category and owner', async () => {
    const [admin, person] = [await createAdmin(), await createPerson()];
    const ad = await postAd(person, { title: 'Unicycle', category: 'sports' });
    await admin.client.ok(api.setAdStatus, { params: { id: ad.id }, body: { status: 'inactive' } });
    const find = async (query: object) => (await admin.client.ok(api.listAdminAds, { query })).map(({ id }) => id);
    expect(await find({ search: 'unicycles' })).toEqual([ad.id]);
    expect(await find({ userId: person.id, state: 'inactive' })).toEqual([ad.id]);
    expect(await find({ userId: person.id, state: 'active' })).toEqual([]);
    expect(await find({ userId: person.id, category: 'toys' })).toEqual([]);
    expect((await admin.client.call(api.deleteAdAsAdmin, { params: { id: ad.id } })).status).toBe(204);
    expect((await admin.client.call(api.deleteAdAsAdmin, { params: { id: ad.id } })).status).toBe(404);
    expect((await auditOf('ad.delete'))[0]).toMatchObject({ target_id: ad.id, details: { userId: person.id } });
  });

  test('the numbers are measured', async () => {
    const [admin, seller] = [await createAdmin(), await createPerson()];
    const before = await admin.client.ok(api.getAdminStats);
    const ad = await postAd(seller, { price: '1200.50', category: 'vehicles' });
    await postAd(seller, { category: 'vehicles' });
    await seller.client.ok(setAdSold, { params: { id: ad.id }, body: { isSold: true } });
    const now = await admin.client.ok(api.getAdminStats);
    expect(now.totalAds - before.totalAds).toBe(2);
    expect(now.todayAds - before.todayAds).toBe(2);
    expect(now.activeAds - before.activeAds).toBe(1);
    expect(now.revenue - before.revenue).toBe(1200.5);
    expect(now.totalUsers).toBe(Number((await app.db('users').whereNull('deleted_at').count())[0]!.count));
    expect(now.topCategories.find(({ category }) => category === 'Vehicles')?.count).toBe(1);
    expect(now.avgSessionDuration).toMatch(/^\d+m \d+s$/);
  });
});

test('none of it is there for people without the role, nor for one who just lost it', async () => {
  const [person, admin] = [await createPerson(), await createAdmin()];
  const calls = [api.getAdminStats, api.listAdminUsers, api.listAdminAds, api.getSettings];
  await admin.client.ok(api.getAdminStats);
  await app.db('users').where({ id: admin.id }).update({ role: 'user' });
  for (const call of calls) {
    expect((await anonymous.call(call)).status).toBe(401);
    expect((await person.client.call(call)).status).toBe(403);
  }
  expect((await admin.client.call(api.banUser, { params: { id: person.id } })).status).toBe(403);
});
