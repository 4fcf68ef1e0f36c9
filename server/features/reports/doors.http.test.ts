import { beforeAll, describe, expect, test } from 'vitest';
import * as admin from '../../../contract/admin.ts';
import { createAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/reports.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { adBody, insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { readSite } from '../brand/site.ts';
import { toBanPath } from '../notifications/ban-links.ts';
import { findSkipReason } from '../notifications/delivery.ts';
import { findDelivery } from '../notifications/delivery-repository.ts';
import { buildNotificationMail } from '../notifications/notification-mail.ts';
import { findOwnDecision } from './decision-repository.ts';

const { app, anonymous, createPerson } = await openTestApp();
const { databaseUrl } = app.config;
beforeAll(() => insertCategories(app));

const createStaff = () => createPerson({ ...SETTLED, role: 'admin' });
const marketctl = async (...args: string[]) => {
  const { code, stderr } = await runCli([...args, '--yes'], { env: { DATABASE_URL: databaseUrl } });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
};
const report = async ({ client }: Person, targetType: 'ad' | 'user', targetId: string) =>
  client.ok(api.createReport, { body: { targetType, targetId, reason: 'scam' } });
const openCase = async (targetType: 'ad' | 'user', targetId: string) => {
  await report(await createPerson(SETTLED), targetType, targetId);
  return findOpenCase(targetType, targetId);
};
const findOpenCase = async (target_type: string, target_id: string): Promise<string> =>
  (await app.db('moderation_cases').where({ target_type, target_id, decided_at: null }).first('id')).id;

interface Scene {
  staff: Person;
  person: Person;
  adId: string;
}

const decideCase = async ({ staff }: Scene, id: string, decision: object) =>
  staff.client.ok(api.decideCase, { params: { id }, body: { reason: 'scam', ...decision } as never });
const aboutAd = (decision: object) => async (scene: Scene) =>
  decideCase(scene, await openCase('ad', scene.adId), decision);
const aboutPerson = (decision: object) => async (scene: Scene) =>
  decideCase(scene, await openCase('user', scene.person.id), decision);
const resolve =
  (...args: string[]) =>
  async ({ adId }: Scene) =>
    marketctl('report', 'resolve', await openCase('ad', adId), '--for', 'scam', ...args);

type Action = 'hold' | 'remove' | 'warn' | 'suspend' | 'ban';
const reject = async (scene: Scene) => {
  await app.db('ads').where({ id: scene.adId }).update({ state: 'pending' });
  const body = { status: 'inactive' } as const;
  await scene.staff.client.ok(admin.setAdStatus, { params: { id: scene.adId }, body });
};

/** Every way by which something is taken from a person. */
const DOORS: readonly [door: string, action: Action, take: (scene: Scene) => Promise<unknown>][] = [
  [
    'the weight of reports',
    'hold',
    async ({ adId }) => {
      for (let n = 0; n < 3; n++) await report(await createPerson(SETTLED), 'ad', adId);
    },
  ],
  ['a case', 'remove', aboutAd({ action: 'remove' })],
  ['a case', 'warn', aboutAd({ action: 'warn' })],
  ['a case', 'suspend', aboutPerson({ action: 'suspend', days: 7 })],
  ['a case', 'ban', aboutPerson({ action: 'ban' })],
  [
    'the panel',
    'remove',
    ({ staff, adId }) =>
      staff.client.ok(admin.setAdStatus, { params: { id: adId }, body: { status: 'inactive', reason: 'No' } }),
  ],
  ['the panel, to an ad that waits for approval', 'remove', reject],
  [
    'the panel',
    'warn',
    ({ staff, person: { id } }) => staff.client.ok(admin.warnUser, { params: { id }, body: { reason: 'scam' } }),
  ],
  [
    'the panel',
    'suspend',
    ({ staff, person: { id } }) =>
      staff.client.ok(admin.suspendUser, { params: { id }, body: { days: 7, reason: 'scam' } }),
  ],
  ['the panel', 'ban', ({ staff, person: { id } }) => staff.client.ok(admin.banUser, { params: { id } })],
  ['marketctl', 'remove', ({ adId }) => marketctl('ad', 'deactivate', adId)],
  ['marketctl', 'warn', ({ person }) => marketctl('user', 'warn', person.id)],
  ['marketctl', 'suspend', ({ person }) => marketctl('user', 'suspend', person.id, '--days', '7')],
  ['marketctl', 'ban', ({ person }) => marketctl('user', 'ban', person.id)],
  ['a case in marketctl', 'remove', resolve('--action', 'remove')],
  ['a case in marketctl', 'warn', resolve('--action', 'warn')],
  ['a case in marketctl', 'suspend', resolve('--action', 'suspend', '--days', '7')],
  ['a case in marketctl', 'ban', resolve('--action', 'ban')],
];

/** How the person reads and appeals the decision: a banned one by a link, because they cannot sign in. */
const toOwn = (person: Person, action: Action) => {
  const token = toBanPath(app, person).slice('/ban?token='.length);
  const text = 'Please look again';
  return action === 'ban'
    ? {
        read: () => anonymous.ok(api.getBan, { query: { token } }),
        appeal: async (_id: string, status = 201) =>
          expect((await anonymous.call(api.appealBan, { body: { token, text } })).status).toBe(status),
      }
    : {
        read: async () => (await person.client.ok(api.listMyDecisions))[0],
        appeal: async (id: string, status = 201) =>
          expect((await person.client.call(api.appealDecision, { params: { id }, body: { text } })).status).toBe(
            status,
          ),
      };
};

/** What a decision can take: whether the person and the ad are visible to others, and the columns that say so. */
const readStanding = async ({ person, adId }: Scene) => ({
  ...(await app.db('users').where({ id: person.id }).first('banned_at', 'suspended_until')),
  ...(await app.db('ads').where({ id: adId }).first('state', 'taken_down', 'is_approved', 'seller_banned', 'listed')),
});

const createScene = async (): Promise<Scene> => {
  const [staff, person] = [await createStaff(), await createPerson(SETTLED)];
  return { staff, person, adId: (await person.client.ok(createAd, { body: adBody() })).id };
};

/** What stood before a decision, apart from what the scene of a rejection changes first. */
const readBefore = async (scene: Scene, door: string) => ({
  ...(await readStanding(scene)),
  ...(door.includes('approval') && { state: 'pending', listed: false }),
});

describe.each(DOORS)('%s, action %s', (door, action, take) => {
  test('leaves a decision, which the person reads, and tells them', async () => {
    const scene = await createScene();
    const before = await readBefore(scene, door);
    await take(scene);
    const rows = await app.db('decisions').where({ person_id: scene.person.id });
    expect(rows).toMatchObject([{ action, is_automatic: action === 'hold', ended_at: null }]);
    expect(await findOwnDecision(app.db, scene.person.id, rows[0].id)).toMatchObject({ action });
    expect(
      await app.db('audit_log').whereRaw("at > now() - interval '1 minute'").orderBy('id', 'desc').first(),
    ).toEqual(expect.objectContaining({ action: expect.stringMatching(/^(ad|user|report)\./) }));
    const news = await app.db('notifications').where({ user_id: scene.person.id }).pluck('url');
    expect(news).toEqual([`/decisions#decision-${rows[0].id}`]);
    if (action === 'warn') expect(await readStanding(scene)).toEqual(before);
    else expect(await readStanding(scene)).not.toEqual(before);
  });

  test('is appealed, and a reversal gives back what it took', async () => {
    const scene = await createScene();
    const before = await readBefore(scene, door);
    await take(scene);
    const own = toOwn(scene.person, action);
    const decision = await own.read();
    expect(decision).toMatchObject({ action, canAppeal: true });
    await own.appeal(decision!.id);
    await own.appeal(decision!.id, 409);
    const other = { ...scene, staff: await createStaff() };
    await decideCase(other, await findOpenCase('decision', decision!.id), { action: 'reverse' });
    expect(await readStanding(scene)).toEqual(before);
    expect(await own.read()).toMatchObject({ reversedAt: expect.any(String), appeal: { status: 'reversed' } });
  });
});

describe('a banned person', () => {
  const createBanned = async () => {
    const scene = await createScene();
    await scene.staff.client.ok(admin.banUser, { params: { id: scene.person.id }, body: { reason: 'Sells fakes' } });
    const token = toBanPath(app, scene.person).slice('/ban?token='.length);
    return { ...scene, token, read: (one = token) => anonymous.call(api.getBan, { query: { token: one } }) };
  };

  test('reads the reason by a link that shows nothing else, and nobody else’s', async () => {
    const { person, read, token } = await createBanned();
    expect((await read()).body).toMatchObject({ action: 'ban', note: 'Sells fakes', appealUntil: null });
    expect((await person.client.call(api.listMyDecisions)).status).toBe(401);
    expect((await read(`${token}x`)).body.code).toBe('link_invalid');
    const other = toBanPath(app, { id: person.id, created_at: '2001-01-01T00:00:00Z' }).slice('/ban?token='.length);
    expect((await read(other)).body.code).toBe('link_invalid');
    const free = toBanPath(app, await createPerson(SETTLED)).slice('/ban?token='.length);
    expect((await read(free)).body.code).toBe('link_invalid');
  });

  test('appeals for as long as the ban lasts, to administrators only', async () => {
    const { person, token, staff } = await createBanned();
    await app.db('decisions').where({ person_id: person.id }).update({ created_at: '2026-01-01T00:00:00Z' });
    await anonymous.ok(api.appealBan, { body: { token, text: 'Please' } });
    const { id: decisionId } = await app.db('decisions').where({ person_id: person.id }).first('id');
    const id = await findOpenCase('decision', decisionId);
    const moderator = await createPerson({ ...SETTLED, role: 'moderator' });
    expect(await moderator.client.ok(api.getCase, { params: { id } })).toMatchObject({ actions: [] });
    const body = { action: 'reverse', reason: 'other' } as const;
    const refused = await moderator.client.call(api.decideCase, { params: { id }, body });
    expect([refused.status, refused.body.message]).toEqual([403, 'Only administrators decide about a ban']);
    const again = await staff.client.call(admin.banUser, { params: { id: person.id }, body: { reason: 'Still' } });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('banned again reads the new reason, and an unban ends it', async () => {
    const { person, staff, read } = await createBanned();
    await staff.client.ok(admin.banUser, { params: { id: person.id }, body: { reason: 'Sells copies' } });
    expect((await read()).body).toMatchObject({ note: 'Sells copies', canAppeal: true });
    await staff.client.ok(admin.unbanUser, { params: { id: person.id } });
    expect((await read()).body).toMatchObject({ canAppeal: false, reversedAt: null });
    expect(await app.db('decisions').where({ person_id: person.id, ended_at: null })).toEqual([]);
  });

  test('gets a mail with such a link', async () => {
    const { person } = await createBanned();
    const { id } = await app.db('notifications').where({ user_id: person.id }).first('id');
    await app.db('notification_deliveries').insert({ notification_id: id, channel: 'email' });
    const row = (await findDelivery(app.db, { notificationId: id, channel: 'email' }))!;
    expect(findSkipReason(row)).toBeUndefined();
    const { text } = buildNotificationMail(
      { ...(await readSite(app)), clock: app.clock, texts: readTexts('en') },
      row,
      'someone@mail.example',
    );
    const [, token] = /\/ban\?token=(\S+)/.exec(text)!;
    expect(await anonymous.ok(api.getBan, { query: { token: token! } })).toMatchObject({ note: 'Sells fakes' });
  });
});
