import { describe, expect, test } from 'vitest';
import { WRITTEN_LANGUAGES } from '../../../contract/languages.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../../contract/notifications.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { type News, readNews, type StoredNews } from './news.ts';

type ParamsOf<Kind> = Extract<News, { kind: Kind }>['params'];
type Samples = {
  [Kind in News['kind']]: {
    [Is in Exclude<ParamsOf<Kind>['is'], 'test'>]: Omit<Extract<ParamsOf<Kind>, { is: Is }>, 'is'>;
  };
};

const AD = { ad: 'Road bike' };
const NAME = { name: 'Dana' };
const USD = { amount: '1250.5', currency: 'USD' };
const WHY = { reason: 'scam', note: 'Please read the rules.' } as const;
const PRICE = { ...USD, priceType: 'negotiable' } as const;
const NONE = {};

/** One of each, which the compiler demands. */
const SAMPLES: Samples = {
  message: { unread: { ...NAME, ad: null } },
  ad_approved: { approved: AD, cleared: AD, activated: AD },
  ad_rejected: { rejected: { title: 'Road bike', ...WHY } },
  ad_held: { held: { title: null } },
  ad_expiring: { expiring: { ...AD, day: '2026-12-03' } },
  ad_expired: { expired: AD },
  price_drop: { dropped: { ...AD, now: PRICE, before: USD } },
  search_match: { found: { name: 'bikes', count: 5, titles: ['A', 'B', 'C'] } },
  seller_new_ad: {
    one: { ...NAME, ...AD, price: PRICE },
    several: { ...NAME, count: 5, titles: ['A', 'B', 'C'] },
  },
  offer: {
    accepted: { ...NAME, ...AD, ...USD, buyer: 'Ben', day: '2026-12-03' },
    declined: { ...NAME, ...AD, ...USD },
    expired: { ...AD, ...USD },
  },
  reservation: {
    reserved: AD,
    released: AD,
    releasedBy: { ...AD, ...NAME },
    endedForYou: { ...AD, days: 7 },
    ended: { ...AD, days: 7 },
  },
  deal: { sold: AD, soldToYou: { ...AD, ...NAME }, notBought: { ...AD, ...NAME } },
  rating: { hidden: { ...AD, ...NAME }, rated: { ...AD, ...NAME, value: 'good' }, replied: { ...AD, ...NAME } },
  report_outcome: { dismissed: NONE, adRemoved: NONE, acted: NONE },
  decision: {
    adRemoved: { title: 'Road bike', ...WHY },
    ratingRemoved: { title: null, ...WHY },
    warned: { ...WHY, note: null },
    suspended: { ...WHY, until: '2026-11-30T12:00:00Z' },
    banned: WHY,
    reversed: { about: 'ad', title: 'Road bike' },
    confirmed: { about: 'suspend', title: null },
  },
  notice: {
    webhookGone: { host: 'shop.example' },
    webhookFailing: { host: 'shop.example', days: 5 },
    tokenMade: { ...NAME, days: 90, scopes: ['ads:read', 'ads:write'] },
    secured: NONE,
    recoveryLinkMade: { minutes: 15 },
    enteredByLink: NONE,
    enteredByCode: NONE,
    passkeyAdded: NAME,
    passkeyRemoved: NAME,
    passwordAdded: NONE,
    passwordChanged: NONE,
    passwordOff: NONE,
    codesMade: NONE,
    codesDeleted: { count: 10 },
    addressAdded: { address: 'dana@example.com' },
    addressRemoved: NONE,
    addressChanged: { address: 'dana@example.com' },
    addressRefused: { address: 'dana@example.com' },
  },
};

const ALL = NOTIFICATION_KINDS.flatMap((kind) =>
  Object.entries({ ...SAMPLES[kind], test: { site: 'Tradepost' } }).map(([is, values]) => ({
    kind,
    params: { is, ...values },
  })),
);
const read = (kind: News['kind'], params: { is: string }, language: (typeof WRITTEN_LANGUAGES)[number]) =>
  readNews({ kind, params, title: 'Of before', body: '' }, readTexts(language));

describe.each(WRITTEN_LANGUAGES)('in %s', (language) => {
  test.each(ALL)('$kind $params.is has all its words and values', ({ kind, params }) => {
    const { title, body } = read(kind, params, language);
    expect(title).not.toBe('Of before');
    expect(`${title} ${body}`).not.toMatch(/\{\{|news\.|undefined|null/);
  });
});

test('English says what it always said', () => {
  expect(read('offer', { is: 'accepted', ...SAMPLES.offer.accepted }, 'en')).toEqual({
    title: 'Dana accepted your offer of $1,250.50',
    body: 'Road bike\nIt is reserved for Ben until December 3, 2026.',
  });
  expect(read('search_match', { is: 'found', ...SAMPLES.search_match.found }, 'en')).toEqual({
    title: '5 new ads for “bikes”',
    body: 'A, B, C and 2 more',
  });
  expect(read('decision', { is: 'suspended', ...SAMPLES.decision.suspended }, 'en')).toEqual({
    title: 'Your account is suspended until November 30, 2026 at 12:00 PM UTC',
    body: 'Reason: Scam or fraud.\nPlease read the rules.',
  });
});

test('an amount keeps its currency, and is written as the language does', () => {
  const dropped = {
    is: 'dropped',
    ...AD,
    now: { ...PRICE, priceType: 'fixed' },
    before: { amount: '1500', currency: 'EUR' },
  };
  expect(read('price_drop', dropped, 'de').body).toBe('Jetzt 1.250,50\u00a0$, vorher 1.500\u00a0€');
});

test('what a later release tells is read as that wrote it', () => {
  expect(read('offer', { is: 'from the future' }, 'de')).toEqual({ title: 'Of before', body: '' });
});

test('days and times are those of the reader’s time zone; days of earlier releases stay as they are', () => {
  const tellIn = (timeZone: string, kind: NotificationKind, params: object) =>
    readNews({ kind, params: params as StoredNews['params'], title: '', body: '' }, { ...readTexts('en'), timeZone });
  const late = { is: 'expiring', ad: 'Bike', day: '2026-12-03T23:30:00Z' };
  const bodyIn = (timeZone: string, params: object) => tellIn(timeZone, 'ad_expiring', params).body;
  expect(bodyIn('UTC', late)).toContain('expires on December 3, 2026.');
  expect(bodyIn('Europe/Berlin', late)).toContain('expires on December 4, 2026.');
  expect(bodyIn('America/New_York', { ...late, day: '2026-12-03' })).toContain('expires on December 3, 2026.');
  const until = { is: 'suspended', ...SAMPLES.decision.suspended };
  expect(tellIn('Asia/Tokyo', 'decision', until).title).toBe(
    'Your account is suspended until November 30, 2026 at 9:00 PM GMT+9',
  );
});
