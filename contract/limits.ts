/** Limits shared by server, browser and `marketctl`. Sizes in bytes, lengths in characters, times as named. */
export const LIMITS = {
  title: 100,
  description: 1000,
  location: 100,
  details: 8,
  detail: 50,
  externalLink: 2048,
  path: 2048,
  queryParameters: 200,
  returnTo: 4096,
  /** In any currency; `maxAmount` is that of the marketplace's. */
  price: 9_999_999_999.999,
  images: 5,
  /** Photos that a person has uploaded and no ad shows; the oldest go first. */
  photos: 100,
  photoHours: 24,
  imageBytesCreate: 5 * 1024 * 1024,
  imageBytesEdit: 10 * 1024 * 1024,
  /** Similar ads that one person may have on the market. */
  similarAds: 3,
  imageEdge: 1200,
  thumbEdge: 400,
  mediumWidth: 800,
  message: 2000,
  messagePhotos: 4,
  /** Photos that a person has uploaded and no message contains; the oldest go first. */
  unsentPhotos: 20,
  search: 200,
  searchName: 100,
  savedSearches: 20,
  synonymGroups: 1000,
  synonymWords: 20,
  synonym: 60,
  suggestions: 6,
  /** So many of the newest ads are counted by category for a suggestion. */
  suggestionSample: 500,
  places: 8,
  placeQuery: 100,
  reason: 500,
  reportDetails: 1000,
  appeal: 1000,
  appealDays: 14,
  noticeTitle: 100,
  noticeBody: 1000,
  blocks: 1000,
  follows: 500,
  notificationDays: 90,
  visitDays: 90,
  /** Longer than a decision can be appealed: what cases copied. */
  caseCopyDays: 90,
  reporterAddressDays: 30,
  formerPriceDays: 30,
  newAccountDays: 7,
  renewDays: 3,
  offerHours: 48,
  reservationDays: 7,
  ratingDays: 14,
  rating: 300,
  expiryLinkDays: 7,
  pushSubscriptions: 20,
  pushEndpoint: 1000,
  emailAddress: 254,
  emailLinkHours: 24,
  unsubscribeLinkDays: 365,
  contactName: 100,
  contactEmail: 254,
  contactSubject: 200,
  contactMessage: 5000,
  /** Of a person, and of the marketplace. */
  webhooks: 10,
  webhookUrl: 2048,
  /** The log of deliveries. */
  webhookDays: 30,
  webhookAttempts: 10,
  webhookFailingDays: 5,
  webhookSecretHours: 24,
  /** Rows of an import that its preview shows; the file of mistakes has all. */
  importShown: 1000,
  importPhotosShown: 100,
  importDays: 30,
  /** Of a file in the browser; `marketctl` knows neither limit. */
  importBytes: 50 * 1024 * 1024,
  importRows: 10_000,
  /** Of a person: the preview or run, and what ended before it. */
  imports: 20,
  /** Kinds of files whose columns and categories a person chose; the longest unused goes first. */
  importChoices: 20,
  passkeys: 20,
  passkeyName: 50,
  challengeMinutes: 5,
  recoveryLinkMinutes: 15,
  recoveryCodes: 8,
  accessTokens: 20,
  tokenName: 50,
  tokenDays: 90,
  tokenDaysMax: 365,
  /** So long an expired token stays in its owner's list. */
  expiredTokenDays: 7,
  passwordMin: 6,
  /** Of passwords that `marketctl` sets; the form advises it. */
  passwordAdvised: 12,
  passwordMaxBytes: 1024,
  sessionIdleDays: 14,
  sessionDays: 90,
  pageSize: 24,
  pageSizeMax: 100,
  countCap: 1000,
  inboxConversations: 50,
  inboxMessages: 3,
  inboxText: 200,
  tableRows: 100,
  /** New ads that a saved search remembers until its owner looks, or for notificationDays. */
  searchMatches: 1000,
  /** Views of ads that one person, or one address, adds in a day. */
  viewsPerDay: 1000,
  streamsPerUser: 10,
  streams: 2000,
  streamBeatSeconds: 20,
  clientErrorMessage: 500,
  clientErrorStack: 4000,
  bodyClientError: 16 * 1024,
  bodyJson: 64 * 1024,
  /** Above bodyJson, the rest is data URLs of photos. */
  bodyAd: 8 * 1024 * 1024,
  photo: 20 * 1024 * 1024,
} as const;

/**
 * Rate limits by name: `points` requests per `seconds` for one actor (user id, else client address; IPv6 by /64).
 * `memory` limits are counted by each replica, the others in Postgres. RATE_LIMIT_SCALE multiplies the points.
 */
export const RATE_LIMITS = {
  read: { points: 600, seconds: 60, memory: true },
  search: { points: 120, seconds: 60, memory: true },
  /** Images that no cache of the server has. */
  image: { points: 1200, seconds: 60, memory: true },
  // one for each pause in typing
  suggest: { points: 300, seconds: 60, memory: true },
  stream: { points: 60, seconds: 60, memory: true },
  // each page repeats an ad and two people in every message
  inbox: { points: 60, seconds: 60, memory: true },
  signIn: { points: 20, seconds: 300, memory: false },
  /** Counts failed password sign-ins only: an address over the limit is refused, a login is slowed down. */
  adminSignIn: { points: 10, seconds: 900, memory: false },
  password: { points: 10, seconds: 600, memory: false },
  /** Challenges and answers of passkeys: a dialog of sign-in takes two. */
  passkey: { points: 60, seconds: 300, memory: false },
  /** Changes of ways in: each is a mail and an entry of the audit log. */
  accessChange: { points: 30, seconds: 3600, memory: false },
  clientError: { points: 10, seconds: 60, memory: true },
  /** Access tokens that do not exist, by address: each costs a query. */
  unknownToken: { points: 30, seconds: 300, memory: true },
  /** Each is a request to an address that the person chose, while they wait. */
  webhookTest: { points: 20, seconds: 600, memory: false },
  /** Requests for a link, by who asks and by the address that they go to. */
  recovery: { points: 10, seconds: 3600, memory: false },
  // as long as a link works: who gets no further mail has one that does
  recoveryOfAddress: { points: 3, seconds: 900, memory: false },
  /** Counts wrong recovery codes only, as adminSignIn does passwords. */
  recoveryCode: { points: 10, seconds: 3600, memory: false },
  write: { points: 120, seconds: 60, memory: false },
  createAd: { points: 20, seconds: 3600, memory: false },
  /** The photos of as many ads as a person may post. */
  photo: { points: 120, seconds: 3600, memory: false },
  // an edit may contain five images to decode
  editAd: { points: 120, seconds: 3600, memory: false },
  message: { points: 30, seconds: 60, memory: false },
  favorite: { points: 60, seconds: 60, memory: false },
  report: { points: 20, seconds: 3600, memory: false },
  contact: { points: 5, seconds: 3600, memory: false },
  /** Mails that confirm an address: by who asks, and by the address that they go to. */
  confirmationsOfUser: { points: 10, seconds: 86_400, memory: false },
  confirmationsOfAddress: { points: 5, seconds: 86_400, memory: false },
  /** Changes of the own address for mail, or of what is mailed: each is an entry of the audit log. */
  mailSettings: { points: 30, seconds: 3600, memory: false },
  exportData: { points: 5, seconds: 3600, memory: false },
  /** Files of ads, each of up to importRows, and their mistakes: a choice for columns or categories sends a file again. */
  importFile: { points: 60, seconds: 3600, memory: false },
} as const satisfies Record<string, { points: number; seconds: number; memory: boolean }>;

export type LimitName = keyof typeof RATE_LIMITS;
