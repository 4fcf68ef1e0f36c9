// What must hold once the faults are over: everything acknowledged is read back through the API by each person whom it
// concerns.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Ad, getAd } from '../../contract/ads.ts';
import { type Deal, listPurchases, listSales } from '../../contract/deals.ts';
import type { EndpointSpec } from '../../contract/endpoint.ts';
import { listFavoriteIds } from '../../contract/favorites.ts';
import { toUrl } from '../../contract/initial-state.ts';
import { getConversation, getUnreadCount, type Message } from '../../contract/messages.ts';
import { formatPrice } from '../../contract/money.ts';
import { getUnreadNotificationCount, listNotifications, type Notification } from '../../contract/notifications.ts';
import { listUserAds } from '../../contract/users.ts';
import type { Answer, Loose } from '../harness/client.ts';
import {
  type AdRecord,
  type Change,
  isAcknowledged,
  type KeyedWrite,
  listPossible,
  type MessageRecord,
  type OfferRecord,
  type Person,
  type Problem,
} from './ledger.ts';
import { clientOf, type Drill } from './requests.ts';

type Report = (kind: Problem['kind'], what: string) => void;

/** What jobs did whose clock was days ahead. */
export interface Moved {
  hasExpiredOffers: boolean;
  hasEndedReservations: boolean;
}

/** All pages of a list. A list that does not exist is empty. */
const readAll = async <T>(url: string, by: Person, spec: EndpointSpec, params: object = {}): Promise<T[]> => {
  const rows: T[] = [];
  const first = toUrl(spec, { params, query: { limit: '100' } } as never);
  for (let path: string | undefined = first; path; ) {
    const { status, headers, body }: Answer<Loose> = await clientOf(url, by).send(path);
    if (status === 404) return [];
    if (status !== 200) throw new Error(`${by.name} cannot read ${path}: ${status} ${JSON.stringify(body)}`);
    rows.push(...body);
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return rows;
};

/** Reports unless `count` rows are what may come of this write; `isGone`: its row may have been, or was, removed. */
const checkCount = (report: Report, { outcome }: KeyedWrite, count: number, what: string, isGone = false): void => {
  if (count > 1) report('doubled', `${what} is there ${count} times`);
  if (count === 1 && outcome === 'refused') report('wrong', `${what} was refused and is there`);
  if (count === 0 && outcome === 'acknowledged' && !isGone) report('lost', `${what} was acknowledged and is not there`);
};

const checkValue = <V>(report: Report, changes: readonly Change<V>[], value: V, what: string): void => {
  const possible = listPossible(changes);
  if (possible.some((each) => isDeepStrictEqual(each, value))) return;
  const expected = [...new Set(possible.map((each) => JSON.stringify(each)))].join(' or ');
  report('lost', `${what} is ${JSON.stringify(value)} instead of ${expected}`);
};

const numberOf = ({ title }: { title: string }): number => Number(/^Drill (\d+)/.exec(title)?.[1]);

const checkAd = (report: Report, record: AdRecord, ad: Ad, { hasEndedReservations }: Moved): void => {
  const what = `ad ${record.number}`;
  if (record.write.id !== undefined && record.write.id !== ad.id)
    report('doubled', `${what} was acknowledged as ${record.write.id} and is ${ad.id}`);
  if (isAcknowledged(record.deletions)) report('lost', `the deletion of ${what} was acknowledged, and it is there`);
  const { title, description, price, imageUrls } = ad;
  checkValue(
    report,
    record.contents,
    { title, description, price, imageCount: imageUrls.length },
    `the content of ${what}`,
  );
  checkValue(report, record.isSold, ad.isSold, `"sold" of ${what}`);
  const holderId = ad.reservedFor?.id ?? null;
  if (holderId !== null || !hasEndedReservations)
    checkValue(report, record.holderId, holderId, `the person for whom ${what} is reserved`);
};

/** What one person reads. Compared afterwards, because a deal and a conversation concern two. */
interface View {
  ads: Ad[];
  sales: Deal[];
  purchases: Deal[];
  favoriteIds: string[];
  notifications: Notification[];
  /** By the ad's number and the buyer. */
  conversations: Map<string, Message[]>;
}

interface Pair {
  ad: AdRecord;
  buyer: Person;
}

const keyOf = ({ ad, buyer }: Pair): string => `${ad.number} ${buyer.id}`;

const readView = async (url: string, me: Person, pairs: readonly Pair[]): Promise<View> => {
  const conversations = new Map<string, Message[]>();
  for (const pair of pairs.filter(({ ad, buyer }) => me === buyer || me === ad.seller)) {
    const otherUserId = me === pair.buyer ? pair.ad.seller.id : pair.buyer.id;
    const params = { adId: pair.ad.write.id, otherUserId };
    conversations.set(keyOf(pair), await readAll<Message>(url, me, getConversation, params));
  }
  return {
    ads: await readAll(url, me, listUserAds, { id: me.id }),
    sales: await readAll(url, me, listSales),
    purchases: await readAll(url, me, listPurchases),
    favoriteIds: await clientOf(url, me).ok(listFavoriteIds),
    notifications: await readAll(url, me, listNotifications),
    conversations,
  };
};

const checkAds = ({ ledger }: Drill, me: Person, { ads, sales }: View, moved: Moved, report: Report): void => {
  for (const record of ledger.ads.filter(({ seller }) => seller === me)) {
    const own = ads.filter((ad) => numberOf(ad) === record.number);
    checkCount(report, record.write, own.length, `ad ${record.number} of ${me.name}`, record.deletions.length > 0);
    for (const ad of own) checkAd(report, record, ad, moved);
    const deals = sales.filter(({ ad }) => ad.id === record.write.id);
    if (deals.length > 1) report('doubled', `ad ${record.number} is sold to ${deals.length} people`);
    checkValue(report, record.buyerId, deals[0]?.other.id ?? null, `the buyer of ad ${record.number}`);
  }
};

const checkOffer = (
  report: Report,
  offer: OfferRecord,
  found: NonNullable<Message['offer']>,
  { hasExpiredOffers }: Moved,
): void => {
  const { settlements, ad, madeAt } = offer;
  const what = `the offer of ${offer.amount} for ad ${ad.number}`;
  const acknowledged = settlements.filter(({ outcome }) => outcome === 'acknowledged');
  if (acknowledged.length > 1)
    report('doubled', `${what} was settled as ${acknowledged.map(({ value }) => value).join(' and ')}`);
  const endings = [...ad.deletions, ...ad.isSold.filter(({ value }) => value)];
  const isVoid = endings.some(
    ({ outcome, sentAt }) => outcome === 'acknowledged' && madeAt !== undefined && sentAt > madeAt,
  );
  const open = [
    ...(isVoid ? [] : ['open']),
    ...(endings.length > 0 ? ['void'] : []),
    ...(hasExpiredOffers ? ['expired'] : []),
  ];
  const possible = acknowledged.length > 0 ? acknowledged : settlements;
  const statuses = [...(acknowledged.length > 0 ? [] : open), ...possible.map(({ value }) => value)];
  if (!statuses.includes(found.status))
    report('lost', `${what} is ${found.status} instead of ${statuses.join(' or ')}`);
};

interface Written {
  messages: readonly MessageRecord[];
  offers: readonly OfferRecord[];
}

const checkConversation = (
  report: Report,
  { messages, offers }: Written,
  seen: readonly Message[],
  moved: Moved,
): void => {
  const known = new Set<string>();
  for (const record of messages) {
    const found = seen.filter(({ content }) => content === record.content);
    for (const { id } of found) known.add(id);
    checkCount(report, record.write, found.length, `"${record.content}"`);
    const isRead = found[0]?.isRead;
    if (isRead === true && record.readings.length === 0)
      report('wrong', `"${record.content}" is read, although no request marked it`);
    if (isRead === false && isAcknowledged(record.readings))
      report('lost', `"${record.content}" was acknowledged as read, and is unread`);
  }
  for (const record of offers) {
    const found = seen.filter(({ offer }) => offer && Number(offer.amount) === Number(record.amount));
    for (const { id } of found) known.add(id);
    checkCount(report, record.write, found.length, `the offer of ${record.amount}`);
    const offer = found[0]?.offer;
    if (offer) checkOffer(report, record, offer, moved);
  }
  for (const { id, content } of seen)
    if (!known.has(id)) report('wrong', `no client wrote "${content}" (message ${id})`);
  const ids = seen.map(({ id }) => BigInt(id));
  if (ids.some((id, i) => i > 0 && id <= ids[i - 1]!))
    report('doubled', `messages are not in order: ${ids.join(', ')}`);
};

const checkFavorites = (
  { ledger }: Drill,
  me: Person,
  { favoriteIds }: View,
  present: Set<string>,
  report: Report,
): void => {
  if (new Set(favoriteIds).size < favoriteIds.length) report('doubled', `the favorites of ${me.name}: ${favoriteIds}`);
  const own = [...ledger.favorites.values()].filter(({ by }) => by === me);
  for (const { ad, saved, removed, unknown } of own) {
    const isSaved = favoriteIds.includes(ad.write.id!);
    const what = `ad ${ad.number} as a favorite of ${me.name} (saved ${saved}, removed ${removed}, unknown ${unknown})`;
    if (!present.has(ad.write.id!)) {
      if (isSaved) report('wrong', `${what} remains although the ad was deleted`);
    } else if (Math.abs(saved - removed - Number(isSaved)) > unknown)
      report('lost', `${what} ${isSaved ? 'is there' : 'is not there'}`);
  }
  const known = new Set(own.map(({ ad }) => ad.write.id));
  for (const id of favoriteIds) if (!known.has(id)) report('wrong', `${me.name} never saved the ad ${id}`);
};

const checkUnread = async (url: string, me: Person, view: View, report: Report): Promise<void> => {
  const received = [...view.conversations.values()].flat().filter(({ receiverId }) => receiverId === me.id);
  const unread = received.filter(({ isRead }) => !isRead).length;
  const { unreadCount } = await clientOf(url, me).ok(getUnreadCount);
  if (unreadCount !== unread)
    report('wrong', `${me.name} has ${unread} unread messages, and the count is ${unreadCount}`);
  const notices = view.notifications.filter(({ isRead }) => !isRead).length;
  const count = (await clientOf(url, me).ok(getUnreadNotificationCount)).unreadCount;
  if (count !== notices) report('wrong', `${me.name} has ${notices} unread notifications, and the count is ${count}`);
};

/** The maker of an offer is notified once when it is accepted or declined. */
const checkNotifications = ({ ledger }: Drill, me: Person, view: View, report: Report): void => {
  const seen = [...view.conversations.values()].flat();
  for (const record of ledger.offers.filter(({ write }) => write.by === me)) {
    const status = seen.find(({ offer }) => offer?.id === record.id)?.offer?.status;
    for (const settled of ['accepted', 'declined'] as const) {
      const end = `${settled} your offer of ${formatPrice(record.amount)}`;
      const count = view.notifications.filter(({ title }) => title.endsWith(end)).length;
      const expected = status === settled ? 1 : 0;
      if (count < expected) report('lost', `${me.name} was not notified: "${end}"`);
      if (count > expected) report('doubled', `${me.name} was notified ${count} times of ${expected}: "${end}"`);
    }
  }
};

const checkPhotos = async (url: string, ads: readonly Ad[], report: Report): Promise<void> => {
  for (const { images, title } of ads)
    for (const image of images)
      for (const path of [image.url, image.thumbUrl]) {
        const response = await fetch(url + path);
        const bytes = Buffer.from(await response.arrayBuffer());
        const isWhole = path !== image.url || path.includes(createHash('sha256').update(bytes).digest('hex'));
        if (!response.ok || !isWhole)
          report('lost', `the photo ${path} of "${title}": ${response.status}, ${bytes.length} bytes`);
      }
};

/** As visitors see the ads: from the caches of a replica. */
const checkPublicAds = async (drill: Drill, url: string, ads: readonly Ad[], report: Report): Promise<void> => {
  for (const ad of ads) {
    const response = await fetch(url + toUrl(getAd, { params: { id: ad.id } }));
    const body = (await response.json()) as Partial<Ad>;
    const { title, price, isSold } = ad;
    const seen = { title: body.title, price: body.price, isSold: body.isSold };
    if (!isDeepStrictEqual(seen, { title, price, isSold }))
      report(
        'wrong',
        `visitors of ${url} see ${response.status} ${JSON.stringify(seen)} instead of "${title}", ${price}`,
      );
  }
  const deleted = drill.ledger.ads.filter(({ deletions }) => isAcknowledged(deletions));
  for (const { number, write } of deleted)
    if ((await fetch(url + toUrl(getAd, { params: { id: write.id! } }))).status !== 404)
      report('wrong', `visitors of ${url} see ad ${number}, which was deleted`);
};

/** Compares what each person reads with the ledger. */
export const checkViews = async (drill: Drill, people: readonly Person[], moved: Moved): Promise<Problem[]> => {
  const { ledger, urls } = drill;
  const problems = new Map<string, Problem>();
  const report: Report = (kind, what) => void problems.set(what, { kind, what });
  const pairs = [
    ...new Map(
      [...ledger.messages, ...ledger.offers].filter(({ ad }) => ad.write.id).map((each) => [keyOf(each), each]),
    ),
  ].map(([, { ad, buyer }]): Pair => ({ ad, buyer }));
  const views: [Person, View][] = [];
  for (const [i, me] of people.entries()) {
    // of two people of a conversation, one reads from each replica
    const url = urls[i % 2]!;
    const view = await readView(url, me, pairs);
    views.push([me, view]);
    checkAds(drill, me, view, moved, report);
    for (const pair of pairs.filter((each) => view.conversations.has(keyOf(each)))) {
      const written = {
        messages: ledger.messages.filter((each) => keyOf(each) === keyOf(pair)),
        offers: ledger.offers.filter((each) => keyOf(each) === keyOf(pair)),
      };
      checkConversation(report, written, view.conversations.get(keyOf(pair))!, moved);
    }
    for (const each of urls) await checkUnread(each, me, view, report);
    checkNotifications(drill, me, view, report);
    await checkPhotos(url, view.ads, report);
    await checkPublicAds(drill, url, view.ads, report);
  }
  const present = new Set(views.flatMap(([, { ads }]) => ads.map(({ id }) => id)));
  for (const [me, view] of views) checkFavorites(drill, me, view, present, report);
  const sold = views.flatMap(([me, { sales }]) => sales.map(({ id, other }) => `${id}: ${me.id} to ${other.id}`));
  const bought = views.flatMap(([me, { purchases }]) =>
    purchases.map(({ id, other }) => `${id}: ${other.id} to ${me.id}`),
  );
  if (!isDeepStrictEqual(sold.toSorted(), bought.toSorted()))
    report('wrong', `sales are ${sold.join(', ')}, and purchases ${bought.join(', ')}`);
  return [...problems.values()];
};
