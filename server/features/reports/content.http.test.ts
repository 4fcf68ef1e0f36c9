import { beforeAll, describe, expect, test } from 'vitest';
import { getSettings, setAdStatus, updateSettings } from '../../../contract/admin.ts';
import { createAd, getAd, updateAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/reports.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertPlaces, PLACES, SETTLED } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';

const { app, createPerson } = await openTestApp({ env: { LOCALES: 'en,de' } });
beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
});

const PHOTO = toDataUrl(await makePhoto({ width: 40, height: 30 }));
const AD = adBody({ title: 'Kettle', category: 'appliances', details: { brand: 'Bosch' }, location: 'Ghent' });
/** Each changes another part of the content. */
const EDITS = {
  title: { title: 'Steel kettle' },
  description: { description: 'Boils water fast.' },
  location: { location: 'Lyon' },
  place: { placeId: PLACES.berlin.id },
  details: { details: { brand: 'Miele' } },
  link: { externalLink: 'https://shop.example/kettle' },
  price: { price: '14.50' },
  'kind of price': { priceType: 'negotiable' as const },
  condition: { condition: 'new' as const },
  category: { category: 'office' },
  photos: { imageUrls: [PHOTO] },
};
/** Banned words in each text. */
const OFFENCES = {
  title: { title: 'A fake kettle' },
  description: { description: 'No scam.' },
  location: { location: 'illegal fake goods, call 555' },
  details: { details: { brand: 'Fake' } },
  link: { externalLink: 'https://fake.example/kettle' },
};
const listCases = <T>(edits: Record<string, T>) => Object.entries(edits).map(([name, edit]) => ({ name, edit }));

const createSeller = () => createPerson({ ...SETTLED, can_link_out: true });
const post = ({ client }: Person) => client.ok(createAd, { body: AD });
const edit = ({ client }: Person, id: string, fields: object) =>
  client.ok(updateAd, { params: { id }, body: { ...AD, ...fields } });
const readAd = (id: string) => app.db('ads').where({ id }).first();
const report = async (id: string) => {
  const { client } = await createPerson(SETTLED);
  await client.ok(api.createReport, { body: { targetType: 'ad', targetId: id, reason: 'scam' } });
};
const hold = async (id: string) => {
  for (let n = 0; n < 3; n++) await report(id);
  expect(await readAd(id)).toMatchObject({ state: 'pending', taken_down: true });
};
const decide = async (id: string, action: 'dismiss') => {
  const moderator = await createPerson({ ...SETTLED, role: 'moderator' });
  const { id: caseId } = await app.db('moderation_cases').where({ target_id: id, decided_at: null }).first('id');
  await moderator.client.ok(api.decideCase, { params: { id: caseId }, body: { action, reason: 'scam' } });
};

describe('an ad that reports hold', () => {
  test.each(listCases(OFFENCES))(
    'and whose $name is rewritten with banned words waits for review after a dismissal',
    async (one) => {
      const seller = await createSeller();
      const { id } = await post(seller);
      await hold(id);
      await edit(seller, id, one.edit);
      await decide(id, 'dismiss');
      expect(await readAd(id)).toMatchObject({ state: 'pending', listed: false, taken_down: false });
    },
  );

  test('is back if nothing was changed', async () => {
    const seller = await createSeller();
    const { id } = await post(seller);
    await hold(id);
    await edit(seller, id, {});
    await decide(id, 'dismiss');
    expect(await readAd(id)).toMatchObject({ state: 'active', listed: true });
  });

  test.each(listCases(EDITS))('is cleared as it was: after a change of its $name it is held again', async (one) => {
    const seller = await createSeller();
    const { id } = await post(seller);
    await hold(id);
    await decide(id, 'dismiss');
    for (let n = 0; n < 3; n++) await report(id);
    expect((await readAd(id)).state).toBe('active');
    await edit(seller, id, one.edit);
    await report(id);
    expect((await readAd(id)).state).toBe('pending');
  });
});

describe('where staff approve every ad', () => {
  beforeAll(async () => {
    const admin = await createPerson({ ...SETTLED, role: 'admin' });
    const settings = await admin.client.ok(getSettings);
    await admin.client.ok(updateSettings, { body: { ...settings, moderationMode: 'manual' } });
  });

  test.each(listCases(EDITS))('an approved ad whose $name is changed waits again', async (one) => {
    const [seller, admin] = [await createSeller(), await createPerson({ ...SETTLED, role: 'admin' })];
    const { id } = await post(seller);
    await admin.client.ok(setAdStatus, { params: { id }, body: { status: 'active' } });
    await edit(seller, id, {});
    expect((await readAd(id)).state).toBe('active');
    await edit(seller, id, one.edit);
    expect(await readAd(id)).toMatchObject({ state: 'pending', listed: false });
  });

  test.each(listCases(EDITS))('a held ad whose $name is changed waits after a dismissal', async (one) => {
    const seller = await createSeller();
    const { id } = await post(seller);
    await app.db('ads').where({ id }).update({ state: 'active' });
    await hold(id);
    await edit(seller, id, one.edit);
    await decide(id, 'dismiss');
    expect(await readAd(id)).toMatchObject({ state: 'pending', listed: false });
  });
});

describe('staff decide about the ad that they saw', () => {
  const postAd = async () => {
    const seller = await createSeller();
    return { seller, id: (await post(seller)).id, admin: await createPerson({ ...SETTLED, role: 'admin' }) };
  };
  const read = async ({ client }: Person, id: string) => (await client.ok(getAd, { params: { id } })).version;

  test.each(['active', 'inactive'] as const)('%s: an ad that was edited meanwhile is as it was', async (status) => {
    const { seller, id, admin } = await postAd();
    await app.db('ads').where({ id }).update({ state: 'pending' });
    const version = await read(admin, id);
    await edit(seller, id, { externalLink: 'https://other.example/' });
    const before = await readAd(id);
    const decideAs = (seen: string | undefined) =>
      admin.client.call(setAdStatus, { params: { id }, body: { status, version: seen } });
    expect((await decideAs(version)).status).toBe(409);
    expect(await readAd(id)).toEqual(before);
    expect(await app.db('ad_clearances').where({ ad_id: id })).toEqual([]);
    expect((await decideAs(await read(admin, id))).status).toBe(200);
    expect((await readAd(id)).state).toBe(status);
  });

  test('is copied so that each moderator reads it in their language, also under the names of today', async () => {
    const { id, admin } = await postAd();
    await app.db('ads').where({ id }).update({ state: 'active' });
    await report(id);
    const { id: caseId } = await app.db('moderation_cases').where({ target_id: id }).first('id');
    const readIn = (language: string) =>
      admin.client.ok(api.getCase, { params: { id: caseId }, headers: { 'Accept-Language': language } });
    const { reported, isEdited } = await readIn('de');
    expect(reported).toMatchObject({
      category: 'Haushaltsgeräte',
      text: expect.stringContaining('Ort: Ghent\n\nMarke: Bosch'),
    });
    expect(isEdited).toBe(false);
    expect((await readIn('en')).reported).toMatchObject({
      category: 'Appliances',
      text: expect.stringContaining('Location: Ghent\n\nBrand: Bosch'),
    });
    // a copy of an earlier release
    await app.db.raw(`update moderation_cases set reported = reported - '{parts,categorySlug}'::text[] where id = ?`, [
      caseId,
    ]);
    expect(await readIn('de')).toMatchObject({
      isEdited: false,
      reported: { category: 'Appliances', text: expect.stringContaining('Location: Ghent') },
    });
  });

  test.each(['dismiss', 'remove'] as const)('%s: a case whose ad was edited meanwhile stays open', async (action) => {
    const { seller, id, admin } = await postAd();
    await app.db('ads').where({ id }).update({ state: 'active' });
    await hold(id);
    const { id: caseId } = await app.db('moderation_cases').where({ target_id: id }).first('id');
    const readCase = () => admin.client.ok(api.getCase, { params: { id: caseId } });
    const { version } = await readCase();
    await edit(seller, id, { condition: 'new' });
    const decideAs = (seen: string | null) =>
      admin.client.call(api.decideCase, {
        params: { id: caseId },
        body: { action, reason: 'scam', version: seen ?? undefined },
      });
    expect((await decideAs(version)).status).toBe(409);
    expect(await readAd(id)).toMatchObject({ state: 'pending', taken_down: true });
    const now = await readCase();
    expect([now.status, now.isEdited, now.now!.text]).toEqual([
      'open',
      true,
      expect.stringContaining('Condition: New'),
    ]);
    expect((await decideAs(now.version)).status).toBe(200);
  });
});

test('the owner of a removed ad gets the reason by its code, unless staff wrote words of their own', async () => {
  const seller = await createSeller();
  const { id } = await post(seller);
  const admin = await createPerson({ ...SETTLED, role: 'admin' });
  const remove = async (note?: string) => {
    await admin.client.ok(setAdStatus, { params: { id }, body: { status: 'active' } });
    await report(id);
    const { id: caseId } = await app.db('moderation_cases').where({ target_id: id, decided_at: null }).first('id');
    const body = { action: 'remove', reason: 'counterfeit', ...(note && { note }) } as const;
    await admin.client.ok(api.decideCase, { params: { id: caseId }, body });
    return seller.client.ok(getAd, { params: { id } });
  };
  const stateReason = 'Counterfeit';
  expect(await remove()).toMatchObject({ stateReason, stateReasonCode: 'counterfeit' });
  // a replica of the release before, which knows no codes
  await app.db('ads').where({ id }).update({ state_reason: 'Not the real thing' });
  expect(await seller.client.ok(getAd, { params: { id } })).not.toHaveProperty('stateReasonCode');
  const shown = await remove('A copy');
  expect(shown.stateReason).toBe('A copy');
  expect(shown).not.toHaveProperty('stateReasonCode');
});
