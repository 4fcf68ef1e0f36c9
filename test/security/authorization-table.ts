import { randomBytes } from 'node:crypto';
import { createAuthenticator } from '../harness/authenticator.ts';
import { adBody, nextSerial, PASSWORD, PLACES } from '../harness/factories.ts';
import { makePhoto } from '../harness/photos.ts';
import { createBrowserKeys } from '../harness/push-service.ts';
import { ACTORS, type ActorName, type World } from './world.ts';

interface Target {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** One row: a call, and the expected status for each kind of caller. `ok` is the endpoint's success status. */
export interface Rule {
  on?: string;
  target?: (world: World, actor: ActorName) => Target;
  expected: Record<ActorName, number | 'ok'>;
  check?: (body: unknown, world: World, actor: ActorName) => void;
}

type Status = number | 'ok';

/** Without a cell of their own, moderators are like users; `expectedOf` determines what suspended users may do. */
const row = (...cells: Status[]): Record<ActorName, Status> => {
  const given = ACTORS.map((actor, i) => [actor, cells[i] ?? Number.NaN] as const);
  return { ...(Object.fromEntries(given) as Record<ActorName, Status>), moderator: cells[9] ?? cells[1] ?? Number.NaN };
};

/** What a suspended user may do beyond what visitors may read. */
const WHILE_SUSPENDED = [
  'getMe',
  'logout',
  'signInAdmin',
  'beginPasskeySignIn',
  'signInWithPasskey',
  'requestRecovery',
  'recoverByLink',
  'recoverByCode',
  'exportMyData',
  'setLanguage',
  'deleteMe',
  'listMyDecisions',
  'appealDecision',
  'getBan',
  'appealBan',
  'verifyEmail',
  'resendEmailLink',
  'getSubscription',
  'changeSubscription',
  'unsubscribeByOneClick',
];

/** The expected status of a call by this kind of caller. */
export function expectedOf({ expected }: Rule, name: string, method: string, actor: ActorName): Status {
  if (actor !== 'suspended') return expected[actor];
  if (WHILE_SUSPENDED.includes(name)) return expected.user;
  return method === 'GET' && expected.anonymous !== 401 ? expected.anonymous : 403;
}

//                    anon  user  owner other count banned admin demoted forged moderator
const EVERYBODY = row('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok');
const SIGNED_IN = row(401, 'ok', 'ok', 'ok', 'ok', 401, 'ok', 'ok', 401);
const ADMINS = row(401, 403, 403, 403, 403, 401, 'ok', 403, 401);
const NO_VERSION = row(401, 403, 403, 403, 403, 401, 404, 403, 401);
const NO_PAGE = row(404, 404, 404, 404, 404, 404, 404, 404, 404);
const STAFF = row(401, 403, 403, 403, 403, 401, 'ok', 403, 401, 'ok');
// Public resources of other users respond with 403, private ones with 404.
const OWNER = row(401, 403, 'ok', 403, 403, 401, 403, 403, 401);
const OWNER_OF_HIDDEN = row(401, 404, 'ok', 404, 404, 401, 403, 404, 401, 403);
const OWNER_AND_ADMINS = row(401, 404, 'ok', 404, 404, 401, 'ok', 404, 401);
const OWNER_AND_STAFF = row(401, 404, 'ok', 404, 404, 401, 'ok', 404, 401, 'ok');
const SEES_HIDDEN = row(404, 404, 'ok', 404, 404, 404, 'ok', 404, 404, 'ok');
/** Links in mail carry their own permission. */
const INVALID_LINK = row(400, 400, 400, 400, 400, 400, 400, 400, 400);
/** Of the marketplace, among those of people. */
const ADMINS_OF_HIDDEN = row(401, 404, 404, 404, 404, 401, 'ok', 404, 401);
const RECEIVER = row(401, 404, 'ok', 404, 404, 401, 404, 404, 401);

const ad = ({ ad }: World) => ({ params: { id: ad.id } });
const hidden = ({ hiddenAd }: World) => ({ params: { id: hiddenAd.id } });
const withBody = (target: (world: World) => Target, body: unknown) => (world: World) => ({ ...target(world), body });
/** Made by the victim, who wrote about the owner's ad. */
const offer = ({ offerId }: World) => ({ params: { id: offerId } });
const forCounterpart = (target: (world: World) => Target) => (world: World) => ({
  ...target(world),
  body: { userId: world.people.counterpart.id },
});
const openCase = ({ caseId }: World) => ({ params: { id: caseId } });
const report = (targetType: string, targetId: string) => ({ body: { targetType, targetId, reason: 'scam' } });
const savedSearch = ({ savedSearchId }: World) => ({ params: { id: savedSearchId } });
const passkey = ({ passkeyId }: World) => ({ params: { id: passkeyId } });
const accessToken = ({ accessTokenId }: World) => ({ params: { id: accessTokenId } });
const ownImport = ({ importId }: World) => ({ params: { id: importId } });
const webhook = ({ webhookId }: World) => ({ params: { id: webhookId } });
const siteWebhook = ({ siteWebhookId }: World) => ({ params: { id: siteWebhookId } });
const victim = ({ people }: World) => ({ params: { id: people.victim.id } });

const ownerById = ({ people }: World) => ({ params: { id: people.owner.id } });

const victimAsUser = ({ people }: World) => ({ params: { userId: people.victim.id } });

const conversation = ({ ad, people }: World, actor: ActorName): Target => ({
  params: { adId: ad.id, otherUserId: actor === 'owner' ? people.counterpart.id : people.owner.id },
});

const hasLength = (expected: (actor: ActorName) => number) => (body: unknown, _world: World, actor: ActorName) => {
  const { length } = body as unknown[];
  if (length !== expected(actor)) throw new Error(`${actor} sees ${length} instead of ${expected(actor)}`);
};
const isEmptyExceptFor = (party: ActorName) => (body: unknown, _world: World, actor: ActorName) => {
  const { length } = body as unknown[];
  if (length > 0 !== (actor === party)) throw new Error(`${actor} sees ${length}`);
};
const isParty = (actor: ActorName) => actor === 'owner' || actor === 'counterpart';
const seesHidden = (actor: ActorName) => ['owner', 'admin', 'moderator'].includes(actor);

const newBrowser = () => ({
  endpoint: `https://push.example/send/${nextSerial()}`,
  keys: {
    p256dh: createBrowserKeys().ecdh.getPublicKey().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
});

const DEVICE = createAuthenticator('https://market.example');
const { credential: NEW_CREDENTIAL, passkey: DEVICE_KEY } = DEVICE.make({
  rp: { id: 'market.example', name: 'Market' },
  user: { id: 'a'.repeat(43), name: '@anna', displayName: 'Anna' },
  challenge: 'c'.repeat(43),
});
const USED_CREDENTIAL = DEVICE_KEY.use({ rpId: 'market.example', challenge: 'c'.repeat(43) });

const PHOTO = await makePhoto({ width: 40, height: 30 });

const SETTINGS = { maxAdDurationDays: 30, maxImagesPerAd: 5, moderationMode: 'automatic', bannedWords: ['scam'] };

/** The expected permissions per endpoint. An endpoint of the contract without a row fails the test. */
export const RULES: Record<string, Rule[]> = {
  getMe: [{ expected: SIGNED_IN }],
  logout: [{ expected: row('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok') }],
  signInAdmin: [
    {
      on: 'the right password',
      target: ({ adminLogin }) => ({ body: { username: adminLogin, password: PASSWORD } }),
      expected: EVERYBODY,
    },
    {
      on: 'a wrong password',
      target: ({ adminLogin }) => ({ body: { username: adminLogin, password: 'no' } }),
      expected: row(401, 401, 401, 401, 401, 401, 401, 401, 401),
    },
  ],
  changePassword: [
    { target: () => ({ body: { currentPassword: PASSWORD, newPassword: 'another fine one' } }), expected: ADMINS },
  ],

  listAccessTokens: [{ expected: SIGNED_IN }],
  createAccessToken: [
    { on: 'scopes of people', target: () => ({ body: { name: 'Backup', scopes: ['ads:read'] } }), expected: SIGNED_IN },
    {
      on: 'scopes of staff',
      target: () => ({ body: { name: 'Backup', scopes: ['admin:read'] } }),
      expected: row(401, 400, 400, 400, 400, 401, 'ok', 400, 401, 'ok'),
    },
  ],
  revokeAccessToken: [{ target: accessToken, expected: RECEIVER }],

  listPasskeys: [{ expected: SIGNED_IN }],
  beginPasskey: [{ expected: SIGNED_IN }],
  addPasskey: [
    {
      on: 'an answer to no challenge',
      target: () => ({ body: { name: 'Phone', credential: NEW_CREDENTIAL } }),
      expected: row(401, 409, 409, 409, 409, 401, 409, 409, 401),
    },
  ],
  renamePasskey: [{ target: withBody(passkey, { name: 'Old phone' }), expected: RECEIVER }],
  removePasskey: [{ target: passkey, expected: RECEIVER }],
  beginPasskeySignIn: [{ expected: EVERYBODY }],
  signInWithPasskey: [
    {
      on: 'an unknown passkey',
      target: () => ({ body: { credential: USED_CREDENTIAL } }),
      expected: row(401, 401, 401, 401, 401, 401, 401, 401, 401),
    },
  ],

  switchPasswordOff: [{ on: 'without a passkey', expected: row(401, 403, 403, 403, 403, 401, 409, 403, 401) }],

  requestRecovery: [{ target: () => ({ body: { email: 'nobody@mail.example' } }), expected: EVERYBODY }],
  recoverByLink: [{ on: 'a forged link', target: () => ({ body: { token: 'forged' } }), expected: INVALID_LINK }],
  recoverByCode: [
    {
      on: 'a wrong code',
      target: ({ people }) => ({ body: { username: people.victim.username!, code: 'ABCD-EFGH' } }),
      expected: row(401, 401, 401, 401, 401, 401, 401, 401, 401),
    },
  ],
  getRecoveryCodes: [{ expected: SIGNED_IN }],
  makeRecoveryCodes: [{ expected: SIGNED_IN }],
  deleteRecoveryCodes: [{ expected: SIGNED_IN }],

  listBlocks: [{ expected: SIGNED_IN }],
  getBlock: [{ target: victimAsUser, expected: SIGNED_IN }],
  blockUser: [{ target: victimAsUser, expected: SIGNED_IN }],
  unblockUser: [{ target: victimAsUser, expected: SIGNED_IN }],

  listFollows: [{ expected: SIGNED_IN }],
  getFollow: [{ target: victimAsUser, expected: SIGNED_IN }],
  followUser: [{ target: victimAsUser, expected: SIGNED_IN }],
  unfollowUser: [{ target: victimAsUser, expected: SIGNED_IN }],

  listRatings: [
    { on: 'of a person', target: ownerById, expected: EVERYBODY, check: hasLength(() => 1) },
    {
      on: 'of a banned person',
      target: ({ people }) => ({ params: { id: people.banned.id } }),
      expected: row(404, 404, 404, 404, 404, 404, 'ok', 404, 404, 'ok'),
    },
  ],
  rateDeal: [
    {
      target: ({ unratedDealId }) => ({ params: { id: unratedDealId }, body: { value: 'good' } }),
      expected: row(401, 404, 'ok', 404, 'ok', 401, 404, 404, 401),
    },
  ],
  replyToRating: [
    {
      target: ({ ratingId }) => ({ params: { id: ratingId }, body: { text: 'Thank you' } }),
      expected: OWNER,
    },
  ],

  listAds: [{ expected: EVERYBODY }],
  createAd: [{ target: () => ({ body: adBody() }), expected: SIGNED_IN }],
  uploadPhoto: [{ target: () => ({ body: PHOTO }), expected: SIGNED_IN }],
  getAd: [
    { on: 'a public ad', target: ad, expected: EVERYBODY },
    { on: 'a hidden ad', target: hidden, expected: SEES_HIDDEN },
  ],
  listSimilarAds: [
    { on: 'a public ad', target: ad, expected: EVERYBODY },
    { on: 'a hidden ad', target: hidden, expected: SEES_HIDDEN },
  ],
  listMoreFromSeller: [
    { on: 'a public ad', target: ad, expected: EVERYBODY },
    { on: 'a hidden ad', target: hidden, expected: SEES_HIDDEN },
  ],
  updateAd: [
    { on: 'a public ad', target: withBody(ad, adBody()), expected: OWNER },
    { on: 'a hidden ad', target: withBody(hidden, adBody()), expected: OWNER_OF_HIDDEN },
  ],
  deleteAd: [
    { on: 'a public ad', target: ad, expected: OWNER },
    { on: 'a hidden ad', target: hidden, expected: OWNER_OF_HIDDEN },
  ],
  setAdSold: [
    { on: 'a public ad', target: withBody(ad, { isSold: true }), expected: OWNER },
    {
      on: 'an ad that staff took down',
      target: withBody(hidden, { isSold: true }),
      expected: row(401, 404, 409, 404, 404, 401, 403, 404, 401, 403),
    },
  ],
  reserveAd: [
    { on: 'a public ad', target: forCounterpart(ad), expected: OWNER },
    {
      on: 'a hidden ad, about which the person never wrote',
      target: forCounterpart(hidden),
      expected: row(401, 404, 400, 404, 404, 401, 403, 404, 401, 403),
    },
  ],
  releaseAd: [
    {
      on: 'an ad of another person, reserved for a user',
      target: ({ reservedAd }) => ({ params: { id: reservedAd.id } }),
      expected: row(401, 'ok', 403, 'ok', 403, 401, 403, 403, 401, 403),
    },
    { on: 'a hidden ad', target: hidden, expected: row(401, 404, 'ok', 404, 404, 401, 'ok', 404, 401, 'ok') },
  ],
  listBuyers: [
    { on: 'a public ad', target: ad, expected: OWNER },
    { on: 'a hidden ad', target: hidden, expected: OWNER_OF_HIDDEN },
  ],
  listPurchases: [{ expected: SIGNED_IN, check: isEmptyExceptFor('counterpart') }],
  listSales: [{ expected: SIGNED_IN, check: isEmptyExceptFor('owner') }],
  getDeal: [
    {
      on: 'an ad that was sold',
      target: ({ expiredAd }) => ({ params: { id: expiredAd.id } }),
      expected: row(401, 404, 'ok', 404, 'ok', 401, 404, 404, 401),
    },
  ],
  undoPurchase: [
    {
      target: ({ unratedDealId }) => ({ params: { dealId: unratedDealId } }),
      expected: row(401, 404, 404, 404, 'ok', 401, 404, 404, 401),
    },
  ],
  setAdPaused: [
    { on: 'a public ad', target: withBody(ad, { paused: true }), expected: OWNER },
    {
      on: 'an ad that staff took down',
      target: withBody(hidden, { paused: true }),
      expected: row(401, 404, 409, 404, 404, 401, 403, 404, 401, 403),
    },
  ],
  countSavers: [
    { on: 'a public ad', target: ad, expected: OWNER },
    { on: 'a hidden ad', target: hidden, expected: OWNER_OF_HIDDEN },
  ],
  renewAd: [
    { on: 'an expired ad', target: ({ expiredAd }) => ({ params: { id: expiredAd.id } }), expected: OWNER_OF_HIDDEN },
    {
      on: 'an ad an administrator made inactive',
      target: hidden,
      expected: row(401, 404, 409, 404, 404, 401, 403, 404, 401, 403),
    },
  ],

  getExpiryQuestion: [
    { on: 'a forged link', target: () => ({ query: { token: 'forged.link' } }), expected: INVALID_LINK },
  ],
  answerExpiryQuestion: [
    {
      on: 'a forged link',
      target: () => ({ body: { token: 'forged.link', answer: 'renew' } }),
      expected: INVALID_LINK,
    },
  ],

  proposeCategory: [{ target: () => ({ query: { title: 'Oak table' } }), expected: EVERYBODY }],
  suggestSearches: [{ target: () => ({ query: { search: 'boo' } }), expected: EVERYBODY }],
  listPlaces: [{ target: () => ({ query: { q: 'ber' } }), expected: EVERYBODY }],
  listUsedPlaces: [{ expected: SIGNED_IN }],
  getPlace: [{ target: () => ({ params: { id: PLACES.berlin.id } }), expected: EVERYBODY }],
  listDistances: [
    { target: () => ({ params: { id: PLACES.berlin.id }, query: { to: PLACES.hamburg.id } }), expected: EVERYBODY },
  ],
  findNearestPlace: [{ target: () => ({ body: { lat: 52.5, lng: 13.4 } }), expected: EVERYBODY }],
  correctSearch: [{ target: () => ({ query: { search: 'boko' } }), expected: EVERYBODY }],

  listSavedSearches: [{ expected: SIGNED_IN, check: hasLength((actor) => (actor === 'owner' ? 1 : 0)) }],
  createSavedSearch: [
    {
      target: () => ({
        body: { name: 'Cheap books', frequency: 'daily', filters: { category: 'books', maxPrice: '5' } },
      }),
      expected: SIGNED_IN,
    },
  ],
  updateSavedSearch: [{ target: withBody(savedSearch, { frequency: 'daily' }), expected: RECEIVER }],
  deleteSavedSearch: [{ target: savedSearch, expected: RECEIVER }],
  markSavedSearchSeen: [{ target: savedSearch, expected: RECEIVER }],

  listWebhooks: [
    { on: 'the own ones', expected: SIGNED_IN, check: hasLength((actor) => (actor === 'owner' ? 1 : 0)) },
    { on: "the marketplace's", target: () => ({ query: { of: 'site' } }), expected: ADMINS, check: hasLength(() => 1) },
  ],
  createWebhook: [
    {
      on: 'of oneself',
      target: () => ({ body: { url: 'https://hooks.example/b', events: ['ad.sold'] } }),
      expected: SIGNED_IN,
    },
    {
      on: 'of the marketplace',
      target: () => ({ body: { of: 'site', url: 'https://hooks.example/b', events: ['user.banned'] } }),
      expected: ADMINS,
    },
  ],
  updateWebhook: [
    { on: "the owner's", target: withBody(webhook, { isOn: false }), expected: RECEIVER },
    { on: "the marketplace's", target: withBody(siteWebhook, { isOn: false }), expected: ADMINS_OF_HIDDEN },
  ],
  deleteWebhook: [
    { on: "the owner's", target: webhook, expected: RECEIVER },
    { on: "the marketplace's", target: siteWebhook, expected: ADMINS_OF_HIDDEN },
  ],
  changeWebhookSecret: [
    { on: "the owner's", target: webhook, expected: RECEIVER },
    { on: "the marketplace's", target: siteWebhook, expected: ADMINS_OF_HIDDEN },
  ],
  testWebhook: [
    { on: "the owner's", target: webhook, expected: RECEIVER },
    { on: "the marketplace's", target: siteWebhook, expected: ADMINS_OF_HIDDEN },
  ],
  listWebhookDeliveries: [
    { on: "the owner's", target: webhook, expected: RECEIVER },
    { on: "the marketplace's", target: siteWebhook, expected: ADMINS_OF_HIDDEN },
  ],
  resendWebhookDelivery: [
    {
      on: "of the owner's",
      target: ({ webhookId, deliveryId }) => ({ params: { id: webhookId, deliveryId } }),
      expected: RECEIVER,
    },
    {
      on: "by another webhook's id",
      target: ({ siteWebhookId, deliveryId }) => ({ params: { id: siteWebhookId, deliveryId } }),
      expected: row(401, 404, 404, 404, 404, 401, 404, 404, 401),
    },
  ],

  getFavoriteStatus: [
    { on: 'a public ad', target: ad, expected: SIGNED_IN },
    { on: 'a hidden ad', target: hidden, expected: OWNER_AND_STAFF },
  ],
  toggleFavorite: [
    { on: 'a public ad', target: ad, expected: SIGNED_IN },
    { on: 'a hidden ad', target: hidden, expected: OWNER_AND_STAFF },
  ],
  listFavorites: [{ expected: SIGNED_IN }],
  listFavoriteIds: [{ expected: SIGNED_IN }],

  listInbox: [{ expected: SIGNED_IN }],
  listConversationCounts: [
    {
      expected: SIGNED_IN,
      check: hasLength((actor) => (({ owner: 2, counterpart: 1 }) as Partial<Record<ActorName, number>>)[actor] ?? 0),
    },
  ],
  getUnreadCount: [{ expected: SIGNED_IN }],
  streamMessages: [{ expected: SIGNED_IN }],
  getConversation: [
    { target: conversation, expected: SIGNED_IN, check: hasLength((actor) => (isParty(actor) ? 2 : 0)) },
  ],
  getConversationStatus: [{ target: conversation, expected: SIGNED_IN }],
  uploadMessagePhoto: [{ target: () => ({ body: PHOTO }), expected: SIGNED_IN }],
  viewMessagePhoto: [
    {
      on: 'of a message of the two',
      target: ({ photoId }) => ({ params: { id: photoId, size: 'thumb' } }),
      expected: row(404, 404, 'ok', 404, 'ok', 404, 404, 404, 404),
    },
  ],
  listConversations: [
    {
      expected: SIGNED_IN,
      check: (body, world, actor) => {
        const lengths: Partial<Record<ActorName, number>> = { owner: 2, counterpart: 1 };
        hasLength(() => lengths[actor] ?? 0)((body as { lines: unknown[] }).lines, world, actor);
      },
    },
  ],
  viewConversation: [
    {
      target: conversation,
      expected: SIGNED_IN,
      check: (body, world, actor) =>
        hasLength(() => (isParty(actor) ? 2 : 0))((body as { messages: unknown[] }).messages, world, actor),
    },
  ],
  markMessageRead: [{ target: ({ messageId }) => ({ params: { id: messageId } }), expected: RECEIVER }],
  markConversationRead: [
    {
      target: (world, actor) => ({ ...conversation(world, actor), body: { upTo: world.messageId } }),
      expected: row(401, 404, 'ok', 404, 'ok', 401, 404, 404, 401),
    },
  ],
  sendMessage: [
    {
      on: "to a public ad's seller",
      target: ({ ad, people }) => ({ body: { adId: ad.id, receiverId: people.owner.id, content: 'Hello' } }),
      expected: row(401, 'ok', 403, 'ok', 'ok', 401, 'ok', 'ok', 401),
    },
    {
      on: 'to a person who wrote first',
      target: ({ ad, people }) => ({ body: { adId: ad.id, receiverId: people.counterpart.id, content: 'Hello' } }),
      expected: row(401, 403, 'ok', 403, 403, 401, 403, 403, 401),
    },
    {
      on: 'to a person who never wrote',
      target: ({ ad, people }) => ({ body: { adId: ad.id, receiverId: people.other.id, content: 'Hello' } }),
      expected: row(401, 403, 403, 403, 403, 401, 403, 403, 401),
    },
    {
      on: 'about a hidden ad',
      target: ({ hiddenAd, people }) => ({
        body: { adId: hiddenAd.id, receiverId: people.owner.id, content: 'Hello' },
      }),
      expected: row(401, 404, 403, 404, 404, 401, 403, 404, 401, 403),
    },
  ],

  listNegotiations: [{ expected: SIGNED_IN, check: isEmptyExceptFor('user') }],
  makeOffer: [
    {
      on: 'about a public ad',
      target: ({ ad, people }, actor) => ({
        body: { adId: ad.id, receiverId: people[actor === 'owner' ? 'counterpart' : 'owner'].id, amount: '4' },
      }),
      expected: row(401, 'ok', 'ok', 'ok', 'ok', 401, 'ok', 'ok', 401),
    },
    {
      on: 'about a hidden ad',
      target: ({ hiddenAd, people }) => ({
        body: { adId: hiddenAd.id, receiverId: people.owner.id, amount: '4' },
      }),
      expected: row(401, 404, 403, 404, 404, 401, 403, 404, 401, 403),
    },
  ],
  acceptOffer: [{ target: offer, expected: RECEIVER }],
  declineOffer: [{ target: offer, expected: RECEIVER }],
  withdrawOffer: [{ target: offer, expected: row(401, 404, 403, 404, 404, 401, 404, 404, 401) }],
  counterOffer: [{ target: withBody(offer, { amount: '4' }), expected: RECEIVER }],

  listNotifications: [{ expected: SIGNED_IN, check: hasLength((actor) => (actor === 'owner' ? 1 : 0)) }],
  getUnreadNotificationCount: [{ expected: SIGNED_IN }],
  markNotificationRead: [{ target: ({ notificationId }) => ({ params: { id: notificationId } }), expected: RECEIVER }],
  getNotificationSettings: [{ expected: SIGNED_IN }],
  getMyEmail: [{ expected: SIGNED_IN }],
  // no mail server is configured here: server/features/notifications/addresses.http.test.ts has one
  setMyEmail: [
    {
      target: () => ({ body: { email: 'person@mail.example' } }),
      expected: row(401, 409, 409, 409, 409, 401, 409, 409, 401),
    },
  ],
  setMyEmailPaused: [{ target: () => ({ body: { isPaused: true } }), expected: SIGNED_IN }],
  removeMyEmail: [{ expected: SIGNED_IN }],
  verifyEmail: [{ on: 'a forged link', target: () => ({ body: { token: 'forged.link' } }), expected: INVALID_LINK }],
  resendEmailLink: [
    {
      on: 'no mail server',
      target: () => ({ body: { token: 'forged.link' } }),
      expected: row(409, 409, 409, 409, 409, 409, 409, 409, 409),
    },
  ],
  getBan: [{ on: 'a forged link', target: () => ({ query: { token: 'forged.link' } }), expected: INVALID_LINK }],
  appealBan: [
    {
      on: 'a forged link',
      target: () => ({ body: { token: 'forged.link', text: 'Why?' } }),
      expected: INVALID_LINK,
    },
  ],
  getSubscription: [
    { on: 'a forged link', target: () => ({ query: { token: 'forged.link' } }), expected: INVALID_LINK },
  ],
  changeSubscription: [
    {
      on: 'a forged link',
      target: () => ({ body: { token: 'forged.link', what: 'all', isOn: false } }),
      expected: INVALID_LINK,
    },
  ],
  unsubscribeByOneClick: [
    {
      on: 'JSON instead of a form',
      target: () => ({ query: { token: 'forged.link' }, body: { 'List-Unsubscribe': 'One-Click' } }),
      expected: row(415, 415, 415, 415, 415, 415, 415, 415, 415),
    },
  ],
  updateNotificationSettings: [{ target: () => ({ body: { price_drop: { email: true } } }), expected: SIGNED_IN }],
  markAllNotificationsRead: [
    { target: ({ notificationId }) => ({ body: { upTo: notificationId } }), expected: SIGNED_IN },
  ],
  getPushKey: [{ expected: SIGNED_IN }],
  listPushSubscriptions: [{ expected: SIGNED_IN }],
  subscribeToPush: [{ target: () => ({ body: newBrowser() }), expected: SIGNED_IN }],
  unsubscribeFromPush: [{ target: () => ({ body: newBrowser() }), expected: SIGNED_IN }],
  sendNotice: [
    {
      on: 'to one person',
      target: ({ people }) => ({ body: { userId: people.victim.id, title: 'News', body: 'Read this.' } }),
      expected: ADMINS,
    },
    { on: 'to everyone', target: () => ({ body: { title: 'News', body: 'Read this.' } }), expected: ADMINS },
  ],

  getProfile: [
    {
      on: 'in good standing',
      target: ({ people }) => ({ params: { username: people.owner.username ?? '' } }),
      expected: EVERYBODY,
    },
    {
      on: 'banned',
      target: ({ people }) => ({ params: { username: people.banned.username ?? '' } }),
      expected: row(404, 404, 404, 404, 404, 404, 'ok', 404, 404, 'ok'),
    },
  ],
  listUserAds: [
    {
      target: ({ people }) => ({ params: { id: people.owner.id } }),
      expected: EVERYBODY,
      check: hasLength((actor) => (seesHidden(actor) ? 3 : 1)),
    },
  ],
  getMyStats: [{ expected: SIGNED_IN }],
  exportMyData: [{ expected: SIGNED_IN }],
  exportMyAds: [{ expected: SIGNED_IN, check: hasLength((actor) => ({ owner: 3, other: 1 })[actor as string] ?? 0) }],
  listImports: [{ expected: SIGNED_IN, check: hasLength((actor) => (actor === 'owner' ? 2 : 0)) }],
  previewImport: [
    {
      target: () => ({ query: { fileName: 'ads.json' }, body: Buffer.from('[{"title":"A book"}]') }),
      expected: SIGNED_IN,
    },
  ],
  rememberImportChoices: [
    { target: () => ({ params: { kind: 'a'.repeat(32) }, body: { decimal: 'comma' } }), expected: SIGNED_IN },
  ],
  getImport: [{ target: ownImport, expected: RECEIVER }],
  listImportRows: [{ target: ownImport, expected: RECEIVER }],
  listImportMistakes: [{ target: ownImport, expected: RECEIVER }],
  startImport: [{ target: withBody(ownImport, {}), expected: RECEIVER }],
  deleteImport: [{ target: ({ endedImportId }) => ({ params: { id: endedImportId } }), expected: RECEIVER }],
  setLanguage: [{ target: () => ({ body: { language: 'en' } }), expected: SIGNED_IN }],
  deleteMe: [{ expected: SIGNED_IN }],

  getXPosting: [{ expected: SIGNED_IN }],
  setXPosting: [{ target: () => ({ body: { favorites: false } }), expected: SIGNED_IN }],
  disconnectX: [{ expected: SIGNED_IN }],
  previewXPost: [{ target: () => ({ body: { title: 'A book', price: '5' } }), expected: SIGNED_IN }],
  listXPosts: [{ target: ad, expected: OWNER_AND_ADMINS }],
  retryXPost: [{ on: 'an ad without a post', target: ad, expected: row(401, 404, 404, 404, 404, 401, 404, 404, 401) }],

  getSiteStats: [{ expected: EVERYBODY }],
  getCategoryStats: [{ expected: EVERYBODY }],
  listCategories: [{ expected: EVERYBODY }],
  getCategory: [{ target: () => ({ params: { slug: 'books' } }), expected: EVERYBODY }],
  sendContact: [
    {
      target: () => ({ body: { name: 'A', email: 'a@example.com', subject: 'Hello', message: 'Hello' } }),
      expected: EVERYBODY,
    },
  ],

  reportClientError: [
    { target: () => ({ body: { kind: 'render', message: 'x is not a function', path: '/' } }), expected: EVERYBODY },
  ],

  getAdminStats: [{ expected: STAFF }],
  listAdminUsers: [{ expected: STAFF }],
  listAdminAds: [{ expected: STAFF }],
  banUser: [
    { on: 'a user', target: withBody(victim, { reason: 'Spam' }), expected: ADMINS },
    {
      on: 'oneself',
      target: ({ people }) => ({ params: { id: people.admin.id } }),
      expected: row(401, 403, 403, 403, 403, 401, 409, 403, 401),
    },
  ],
  suspendUser: [
    { on: 'a user', target: withBody(victim, { days: 7, reason: 'scam' }), expected: STAFF },
    {
      on: 'an administrator',
      target: ({ people }) => ({ params: { id: people.admin.id }, body: { days: 7, reason: 'scam' } }),
      expected: row(401, 403, 403, 403, 403, 401, 409, 403, 401),
    },
    {
      on: 'a moderator',
      target: ({ people }) => ({ params: { id: people.moderator.id }, body: { days: 7, reason: 'scam' } }),
      expected: row(401, 403, 403, 403, 403, 401, 'ok', 403, 401, 409),
    },
  ],
  warnUser: [
    { on: 'a user', target: withBody(victim, { reason: 'scam' }), expected: STAFF },
    {
      on: 'a moderator',
      target: ({ people }) => ({ params: { id: people.moderator.id }, body: { reason: 'scam' } }),
      expected: row(401, 403, 403, 403, 403, 401, 'ok', 403, 401, 409),
    },
  ],
  unbanUser: [
    { on: 'a banned user', target: ({ people }) => ({ params: { id: people.banned.id } }), expected: ADMINS },
    { on: 'a suspended user', target: ({ people }) => ({ params: { id: people.suspended.id } }), expected: STAFF },
  ],
  getUserAccess: [{ target: victim, expected: ADMINS }],
  deleteUser: [
    { on: 'a user', target: victim, expected: ADMINS },
    {
      on: 'oneself',
      target: ({ people }) => ({ params: { id: people.admin.id } }),
      expected: row(401, 403, 403, 403, 403, 401, 409, 403, 401),
    },
  ],
  setAdStatus: [{ target: withBody(ad, { status: 'inactive', reason: 'Prohibited' }), expected: STAFF }],
  deleteAdAsAdmin: [{ target: ad, expected: ADMINS }],
  getBrand: [{ expected: ADMINS }],
  updateBrand: [{ target: () => ({ body: { footerLine: `Line ${nextSerial()}` } }), expected: ADMINS }],
  resetBrand: [{ expected: ADMINS }],
  setLogo: [{ target: () => ({ body: PHOTO }), expected: ADMINS }],
  removeLogo: [{ expected: ADMINS }],
  readPageText: [
    { on: 'the terms', target: () => ({ params: { page: 'terms-of-service' } }), expected: EVERYBODY },
    { on: 'an imprint without text', target: () => ({ params: { page: 'imprint' } }), expected: NO_PAGE },
  ],
  listAllCategories: [{ expected: ADMINS }],
  createCategory: [
    {
      target: () => {
        const name = `Kind ${nextSerial()}`;
        return { body: { name, slug: '', icon: 'package' } };
      },
      expected: ADMINS,
    },
  ],
  changeCategory: [{ target: () => ({ params: { slug: 'art' }, body: { icon: 'palette' } }), expected: ADMINS }],
  moveCategory: [{ target: () => ({ params: { slug: 'art' }, body: { before: null } }), expected: ADMINS }],
  mergeCategory: [
    {
      on: 'itself',
      target: () => ({ params: { slug: 'art' }, body: { into: 'art' } }),
      expected: row(401, 403, 403, 403, 403, 401, 409, 403, 401),
    },
  ],
  getPage: [{ target: () => ({ params: { page: 'privacy' } }), expected: ADMINS }],
  getPageVersion: [{ target: () => ({ params: { page: 'privacy', id: '999999' } }), expected: NO_VERSION }],
  previewPage: [{ target: () => ({ body: { text: 'Hello' } }), expected: ADMINS }],
  updatePage: [
    { target: () => ({ params: { page: 'privacy' }, body: { text: `Hello ${nextSerial()}` } }), expected: ADMINS },
  ],
  restorePage: [{ target: () => ({ params: { page: 'privacy' }, body: { id: '999999' } }), expected: NO_VERSION }],
  resetPage: [{ target: () => ({ params: { page: 'privacy' } }), expected: ADMINS }],
  getAnalytics: [{ expected: STAFF }],
  getViewsByDay: [
    { on: 'a public ad', target: ad, expected: OWNER_AND_STAFF },
    { on: 'a hidden ad', target: hidden, expected: OWNER_AND_STAFF },
  ],
  getSettings: [{ expected: ADMINS }],
  updateSettings: [{ target: () => ({ body: SETTINGS }), expected: ADMINS }],
  listSynonyms: [{ expected: ADMINS }],
  addSynonyms: [{ target: () => ({ body: { words: [`word ${nextSerial()}`, 'other'] } }), expected: ADMINS }],
  removeSynonyms: [
    {
      on: 'a group that does not exist',
      target: () => ({ params: { id: '999999' } }),
      expected: row(401, 403, 403, 403, 403, 401, 404, 403, 401),
    },
  ],

  createReport: [
    {
      on: 'a public ad',
      target: ({ ad }) => report('ad', ad.id),
      expected: row(401, 'ok', 403, 'ok', 'ok', 401, 'ok', 'ok', 401, 'ok'),
    },
    {
      on: 'a hidden ad',
      target: ({ hiddenAd }) => report('ad', hiddenAd.id),
      expected: row(401, 404, 403, 404, 404, 401, 'ok', 404, 401, 'ok'),
    },
    { on: 'a user', target: ({ people }) => report('user', people.victim.id), expected: SIGNED_IN },
    {
      on: 'a message',
      target: ({ messageId }) => report('message', messageId),
      expected: row(401, 404, 'ok', 404, 403, 401, 404, 404, 401, 404),
    },
    {
      on: 'a rating',
      target: ({ ratingId }) => report('rating', ratingId),
      expected: row(401, 'ok', 'ok', 'ok', 403, 401, 'ok', 'ok', 401, 'ok'),
    },
  ],
  listCases: [{ expected: STAFF }],
  countOpenCases: [{ expected: STAFF }],
  getCase: [{ target: openCase, expected: STAFF }],
  viewCasePhoto: [
    {
      target: ({ photoCaseId, photoId }) => ({ params: { id: photoCaseId, photoId, size: 'thumb' } }),
      expected: STAFF,
    },
  ],
  decideCase: [
    { on: 'a report', target: withBody(openCase, { action: 'remove', reason: 'scam' }), expected: STAFF },
    { on: 'a report, to ban', target: withBody(openCase, { action: 'ban', reason: 'scam' }), expected: ADMINS },
  ],
  listMyDecisions: [{ expected: SIGNED_IN, check: hasLength((actor) => (actor === 'owner' ? 1 : 0)) }],
  appealDecision: [
    {
      on: 'a warning',
      target: ({ decisionId }) => ({ params: { id: decisionId }, body: { text: 'It was a joke' } }),
      expected: row(401, 404, 'ok', 404, 404, 401, 404, 404, 401, 404),
    },
  ],
};
