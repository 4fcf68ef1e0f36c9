import { beforeAll, expect, test } from 'vitest';
import { getSettings, updateSettings } from '../../contract/admin.ts';
import { createAd } from '../../contract/ads.ts';
import type { EndpointSpec } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/index.ts';
import { toUrl } from '../../contract/initial-state.ts';
import { uploadMessagePhoto } from '../../contract/message-photos.ts';
import { sendMessage, streamMessages } from '../../contract/messages.ts';
import { sendNotice } from '../../contract/notifications.ts';
import { getPage, updatePage } from '../../contract/page-texts.ts';
import { appealDecision, createReport, decideCase, listMyDecisions } from '../../contract/reports.ts';
import { listEventsOf } from '../../contract/webhooks.ts';
import { openTestApp } from '../harness/app.ts';
import type { Client } from '../harness/client.ts';
import { openEventSource, type TestEventSource } from '../harness/event-source.ts';
import { adBody, insertCategories, insertPlaces, insertUser, PLACES } from '../harness/factories.ts';
import { makePhoto } from '../harness/photos.ts';
import { addWebhook, WEBHOOK_ENV } from '../harness/webhooks.ts';

const { app, url, anonymous, signIn } = await openTestApp({ env: WEBHOOK_ENV });

const VIEWERS = [
  'visitor',
  'concerned',
  'reporter',
  'receiver',
  'uninvolved',
  'suspended',
  'decider',
  'moderator',
  'admin',
] as const;
type Viewer = (typeof VIEWERS)[number];

/** `concerned` loses an ad that `reporter` reported and `decider` removed, and sent a message that `receiver` reported. */
const PEOPLE: Record<Exclude<Viewer, 'visitor'>, object> = {
  concerned: {},
  reporter: { created_at: '2020-01-01T00:00:00Z' },
  receiver: {},
  uninvolved: {},
  suspended: { suspended_until: '2999-01-01T00:00:00Z' },
  decider: { role: 'moderator' },
  moderator: { role: 'moderator' },
  admin: { role: 'admin' },
};

const idOf = (viewer: Exclude<Viewer, 'visitor'>): string => `77700${Object.keys(PEOPLE).indexOf(viewer)}`;
const handleOf = (viewer: Viewer): string => `handle_of_${viewer}`;

const WORDS = {
  details: 'Words of the report',
  messageDetails: 'Words of the second report',
  note: 'Words of the decision',
  dismissalNote: 'Words of the dismissal',
  appeal: 'Words of the appeal',
  message: 'Words of the message',
  notice: 'Words of the notice',
};

/** What a response may give away, by the texts that show it. An id also counts within a path. */
const SECRETS: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    (['reporter', 'receiver', 'decider'] as const).map((who) => [who, [idOf(who), handleOf(who), `Name of ${who}`]]),
  ),
  ...Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, [words]])),
};
interface Target {
  params?: Record<string, string>;
  query?: Record<string, string>;
}

const clients = { visitor: anonymous } as Record<Viewer, Client>;
/** What to read of each endpoint with parameters. */
const targets: Record<string, Target[] | ((viewer: Viewer) => Target[])> = {
  listCases: [{ query: { status: 'open' } }, { query: { status: 'decided' } }],
  getProfile: [{ params: { username: handleOf('concerned') } }],
  listUserAds: [{ params: { id: idOf('concerned') } }],
  listRatings: [{ params: { id: idOf('concerned') } }],
  getUserAccess: [{ params: { id: idOf('concerned') } }],
  getBlock: [{ params: { userId: idOf('concerned') } }],
  getFollow: [{ params: { userId: idOf('concerned') } }],
  getPlace: [{ params: { id: PLACES.berlin.id } }],
  listDistances: [{ params: { id: PLACES.berlin.id }, query: { to: PLACES.hamburg.id } }],
  getCategory: [{ params: { slug: 'books' } }],
};
let pages: string[];
let stream: TestEventSource;

const STAFF: Viewer[] = ['decider', 'moderator', 'admin'];
const person = (place: string): string[] => ['id', 'username', 'displayName'].map((field) => `${place}.${field}`);

/** Who sees which secrets, and where. Everything else is private. */
const VISIBLE: [secrets: string | string[], viewers: Viewer[], places: string[]][] = [
  [['reporter', 'receiver'], STAFF, person('getCase.reports[].reporter')],
  ['decider', STAFF, person('getCase.decision.decidedBy')],
  ['decider', STAFF, person('getCase.appeal.contested.decidedBy')],
  ['decider', STAFF, person('listCases[].decision.decidedBy')],
  [['reporter', 'receiver', 'decider'], STAFF, person('listAdminUsers[]')],
  [['reporter', 'receiver', 'decider'], ['admin'], ['listAdminUsers[].twitterId']],

  // the two people of a conversation, and its copies
  ['receiver', STAFF, ['getCase.reported.messages[].senderId', 'getCase.now.messages[].senderId']],
  [
    'receiver',
    ['concerned'],
    ['getConversation[]', 'listInbox.ID[]'].flatMap((at) => [`${at}.senderId`, `${at}.receiverId`]),
  ],
  ['receiver', ['concerned'], ['sender', 'receiver'].flatMap((who) => person(`getConversation[].${who}`))],
  ['receiver', ['concerned'], ['sender', 'receiver'].flatMap((who) => person(`listInbox.ID[].${who}`))],
  ['receiver', ['concerned'], [...person('getConversationStatus.other'), 'listConversationCounts[].otherUserId']],
  ['receiver', ['concerned'], ['senderId', 'receiverId'].map((field) => `viewConversation.messages[].${field}`)],
  ['receiver', ['concerned'], [...person('viewConversation.other'), ...person('listConversations.people[]')]],
  ['receiver', ['concerned'], ['listConversations.lines[].otherUserId']],
  ['receiver', ['concerned'], person('listBuyers[]')],
  ['receiver', ['concerned'], ['exportMyData.messages[].senderId', 'exportMyData.messages[].receiverId']],
  ['receiver', ['concerned'], ['exportMyData.webhookDeliveries[].data.personId']],
  ['receiver', ['concerned'], ['stream[].data.senderId', 'stream[].data.receiverId']],

  [['details', 'messageDetails'], STAFF, ['getCase.reports[].details']],
  ['details', ['reporter'], ['exportMyData.reports[].details']],
  ['messageDetails', ['receiver'], ['exportMyData.reports[].details']],

  [['note', 'dismissalNote'], STAFF, ['getCase.decision.note', 'listCases[].decision.note']],
  ['note', STAFF, ['getCase.appeal.contested.note', 'getAd.stateReason', 'listAdminAds[].stateReason']],
  ['note', STAFF, ['listUserAds[].stateReason', 'page /ads/ID']],
  ['note', ['concerned'], ['listMyDecisions[].note', 'appealDecision.note', 'exportMyData.decisions[].note']],
  ['note', ['concerned'], ['listNotifications[].body', 'exportMyData.notifications[].body']],
  ['note', ['concerned'], ['getAd.stateReason', 'listUserAds[].stateReason', 'exportMyData.ads[].stateReason']],
  ['note', ['concerned'], ['getMyStats.topAds[].stateReason', 'page /ads/ID']],

  ['appeal', STAFF, ['getCase.appeal.text']],
  ['appeal', ['concerned'], ['listMyDecisions[].appeal.text', 'appealDecision.appeal.text']],
  ['appeal', ['concerned'], ['exportMyData.decisions[].appeal']],
  ['notice', ['concerned'], ['listNotifications[].body', 'exportMyData.notifications[].body']],

  // the copies of a case, and the conversation for the two people in it
  ['message', STAFF, ['listCases[].title', 'getCase.title']],
  ['message', STAFF, ['reported', 'now'].flatMap((at) => [`getCase.${at}.title`, `getCase.${at}.text`])],
  ['message', STAFF, ['getCase.reported.messages[].content', 'getCase.now.messages[].content']],
  ['message', ['concerned', 'receiver'], ['getConversation[].content', 'listInbox.ID[].content']],
  ['message', ['concerned', 'receiver'], ['viewConversation.messages[].content']],
  ['message', ['concerned', 'receiver'], ['listConversations.lines[].latest.content']],
  ['message', ['concerned'], ['stream[].data.content']],
  ['message', ['concerned', 'receiver'], ['exportMyData.messages[].content']],
];

/** "who saw what where": the secret, the viewer, and the endpoint with the path of the field, without indices. */
const sightings = new Set<string>();

const look = (viewer: Viewer, place: string, value: unknown): void => {
  if (Array.isArray(value)) for (const one of value) look(viewer, `${place}[]`, one);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      look(viewer, `${place}.${/^\d+$/.test(key) ? 'ID' : key}`, inner);
      look(viewer, `${place}.key`, key);
    }
  // people know themselves, and what they wrote
  else
    for (const [name, texts] of Object.entries(SECRETS))
      if (name !== viewer && texts.some((text) => String(value).includes(text)))
        sightings.add(`${name} | ${viewer} | ${place}`);
};

const findCaseId = async (targetType: string, targetId: string): Promise<string> =>
  (await app.db('moderation_cases').where({ target_type: targetType, target_id: targetId }).first('id')).id;

beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
  for (const [name, columns] of Object.entries(PEOPLE)) {
    const id = idOf(name as 'concerned');
    const handle = handleOf(name as Viewer);
    await insertUser(app, { id, x_id: id, username: handle, display_name: `Name of ${name}`, ...columns });
  }
  for (const name of VIEWERS) if (name !== 'visitor') clients[name] = await signIn(idOf(name));
  const { concerned, reporter, receiver, decider, moderator, admin } = clients;
  stream = await openEventSource(`${url}${streamMessages.path}`, concerned.headers);

  const hooked = 'https://hooks.example/heard';
  const hooks = [
    await addWebhook(concerned, hooked, listEventsOf('me')),
    await addWebhook(admin, hooked, listEventsOf('site'), { of: 'site' }),
  ];

  const removed = await concerned.ok(createAd, { body: adBody() });
  const held = await concerned.ok(createAd, { body: adBody() });
  const kept = await concerned.ok(createAd, { body: adBody() });
  const write = (client: Client, receiverId: string, content: string, imageIds: string[] = []) =>
    client.ok(sendMessage, { body: { adId: kept.id, receiverId, content, imageIds } });
  await write(receiver, idOf('concerned'), 'Is it still there?');
  const photo = await concerned.ok(uploadMessagePhoto, { body: await makePhoto({ width: 640, height: 480 }) });
  const { id: messageId } = await write(concerned, idOf('receiver'), WORDS.message, [photo.id]);

  const report = (client: Client, targetType: 'ad' | 'user' | 'message', targetId: string, details: string) =>
    client.ok(createReport, { body: { targetType, targetId, reason: 'scam', details } });
  await report(reporter, 'ad', removed.id, WORDS.details);
  await report(reporter, 'ad', kept.id, WORDS.details);
  await report(reporter, 'user', idOf('concerned'), WORDS.details);
  await report(receiver, 'message', messageId, WORDS.messageDetails);

  const decide = async (targetType: string, targetId: string, body: object) =>
    decider.ok(decideCase, {
      params: { id: await findCaseId(targetType, targetId) },
      body: { reason: 'scam', ...body } as never,
    });
  await decide('ad', removed.id, { action: 'remove', note: WORDS.note });
  await decide('ad', kept.id, { action: 'dismiss', note: WORDS.dismissalNote });
  await decide('message', messageId, { action: 'warn', note: WORDS.note });
  for (const { id } of await concerned.ok(listMyDecisions))
    look(
      'concerned',
      'appealDecision',
      await concerned.ok(appealDecision, { params: { id }, body: { text: WORDS.appeal } }),
    );
  await admin.ok(updateSettings, { body: { ...(await admin.ok(getSettings)), reportHoldWeight: 1 } });
  await report(reporter, 'ad', held.id, WORDS.details);
  const [removal] = await app.db('decisions').where({ action: 'remove' });
  await moderator.ok(decideCase, {
    params: { id: await findCaseId('decision', removal.id) },
    body: { action: 'uphold', reason: 'scam' },
  });
  await admin.ok(sendNotice, { body: { userId: idOf('concerned'), title: 'A notice', body: WORDS.notice } });

  const file = { user_id: idOf('concerned'), source: 'csv', format: 'csv', currency: 'USD', file_name: 'ads.csv' };
  const [imported] = await app.db('imports').insert(file).returning('id');
  const ownImport = [{ params: { id: imported!.id } }];

  const imprint = { page: 'imprint' } as const;
  await admin.ok(updatePage, { params: imprint, body: { text: 'Who runs this site' } });
  const [version] = (await admin.ok(getPage, { params: imprint })).versions;

  const caseIds = await app.db('moderation_cases').pluck('id');
  const ads = [removed, held, kept].map(({ id }) => ({ params: { id } }));
  const talk = (viewer: Viewer) => [
    { params: { adId: kept.id, otherUserId: idOf(viewer === 'concerned' ? 'receiver' : 'concerned') } },
  ];
  Object.assign(targets, {
    getCase: caseIds.map((id) => ({ params: { id } })),
    getAd: ads,
    countSavers: ads,
    listSimilarAds: ads,
    listMoreFromSeller: ads,
    getFavoriteStatus: ads,
    listXPosts: ads,
    getViewsByDay: ads,
    getDeal: ads,
    listBuyers: ads,
    getConversation: talk,
    getConversationStatus: talk,
    viewConversation: talk,
    listWebhookDeliveries: hooks.map(({ id }) => ({ params: { id } })),
    getImport: ownImport,
    listImportRows: ownImport,
    listImportMistakes: ownImport,
    readPageText: [{ params: imprint }],
    getPage: [{ params: imprint }],
    getPageVersion: [{ params: { ...imprint, id: version!.id } }],
    viewMessagePhoto: [{ params: { id: photo.id, size: 'full' } }],
    viewCasePhoto: caseIds.map((id) => ({ params: { id, photoId: photo.id, size: 'full' } })),
  });
  const hidden = ['/dashboard', '/decisions', '/notifications', '/messages', '/admin'];
  pages = ['/', `/ads/${removed.id}`, `/ads/${kept.id}`, `/users/${handleOf('concerned')}`, ...hidden];
});

const reads = endpoints.filter(({ name, spec }) => spec.method === 'GET' && name !== 'streamMessages');

test('every endpoint with parameters is read', () => {
  const missing = reads.filter(({ name, spec }) => spec.path.includes(':') && !(name in targets));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

const targetsOf = (name: string, viewer: Viewer): Target[] => {
  const given = targets[name] ?? [{}];
  return typeof given === 'function' ? given(viewer) : given;
};

const readAll = async (viewer: Viewer): Promise<void> => {
  for (const { name, spec } of reads)
    for (const target of targetsOf(name, viewer)) {
      const { body } = await clients[viewer].send(toUrl(spec as EndpointSpec, target as never));
      look(viewer, name, body);
    }
  for (const path of pages)
    look(viewer, `page ${path.replaceAll(/\d+/g, 'ID')}`, (await clients[viewer].send(path)).body);
};

test('each secret is seen where it is meant to be seen, and nowhere else', async () => {
  for (const viewer of VIEWERS) await readAll(viewer);
  const heard = app.db('webhook_deliveries as d').join('webhooks as w', 'w.id', 'd.webhook_id');
  const told = await heard.whereNull('w.user_id').select('d.type', 'd.data');
  expect(told.map(({ type }) => type)).toContain('report.opened');
  // whoever receives the webhooks of the marketplace is a stranger to a case
  look('uninvolved', 'webhook', told);
  await expect.poll(() => stream.events.map(({ name }) => name)).toContain('notifications');
  look('concerned', 'stream', stream.events);
  await stream.close();
  const expected = VISIBLE.flatMap(([secrets, viewers, places]) =>
    [secrets]
      .flat()
      .flatMap((secret) =>
        viewers
          .filter((viewer) => viewer !== secret)
          .flatMap((viewer) => places.map((place) => `${secret} | ${viewer} | ${place}`)),
      ),
  );
  expect([...sightings].sort()).toEqual([...new Set(expected)].sort());
});
