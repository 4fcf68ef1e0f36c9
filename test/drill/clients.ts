// The people of the drill. Each does one thing after the other, chosen by the seed, and notes in the ledger what came of it.
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { createAd, deleteAd, getAd, setAdSold, updateAd } from '../../contract/ads.ts';
import { releaseAd, reserveAd } from '../../contract/deals.ts';
import { toggleFavorite } from '../../contract/favorites.ts';
import { getConversation, getUnreadCount, markMessageRead, sendMessage } from '../../contract/messages.ts';
import * as offers from '../../contract/offers.ts';
import { drawByWeight } from '../../seeds/demo/random.ts';
import { readConfig } from '../../server/config/load.ts';
import { insertUser, SETTLED } from '../harness/factories.ts';
import { openSession } from '../harness/sessions.ts';
import {
  type AdContent,
  type AdRecord,
  getFavorite,
  isAcknowledged,
  type KeyedWrite,
  type Ledger,
  listPossible,
  listPresent,
  newAdRecord,
  note,
  type OfferRecord,
  type Person,
} from './ledger.ts';
import { type Drill, pickUrl, type SendOptions, type Sent, send, sendOnce, sendUntilAcknowledged } from './requests.ts';
import type { DrillSite } from './site.ts';

const CATEGORIES = ['electronics', 'furniture', 'books', 'toys'];

/** People who have been here for long, without the limits against spam, which would end their work after a minute. */
export const openPeople = async (
  { db, environment }: Pick<DrillSite, 'db' | 'environment'>,
  count: number,
): Promise<Person[]> => {
  const config = readConfig({ ...environment });
  const value = JSON.stringify({ newConversationsPerHour: 0, sameTextPeople: 0 });
  await db('settings').insert({ key: 'platform', value }).onConflict('key').merge();
  const people: Person[] = [];
  for (let i = 0; i < count; i++) {
    const { id, display_name: name } = await insertUser({ db }, SETTLED);
    people.push({ id, name, cookie: await openSession({ db, config }, id) });
  }
  return people;
};

interface Client {
  drill: Drill;
  me: Person;
  pick: <T>(items: readonly T[]) => T | undefined;
  chance: (part: number) => boolean;
}

/** A small photo that no other upload has. */
const makeImage = async (random: () => number): Promise<string> => {
  const byte = () => Math.floor(random() * 256);
  const background = { r: byte(), g: byte(), b: byte() };
  const size = { width: 48 + (byte() % 64), height: 48 + (byte() % 64) };
  const bytes = await sharp({ create: { ...size, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
};

const makeImages = async ({ drill, chance }: Client, most: number): Promise<string[]> => {
  const images: string[] = [];
  while (images.length < most && chance(0.7)) images.push(await makeImage(drill.random));
  return images;
};

const keyed = (
  { drill, me }: Client,
  spec: KeyedWrite['spec'],
  options: KeyedWrite['options'],
  onAcknowledged: KeyedWrite['onAcknowledged'] = () => {},
): KeyedWrite => {
  const key = `drill-key-${drill.ledger.nextNumber()}`;
  return { by: me, spec, options, key, outcome: 'unknown', onAcknowledged };
};

const toLatest = ({ version, imageUrls }: { version?: string; imageUrls?: string[] }): AdRecord['latest'] =>
  version === undefined || imageUrls === undefined ? undefined : { version, imageUrls };

const toContent = (body: AdContent & { imageUrls: string[] }): AdContent => ({
  title: body.title,
  description: body.description,
  price: body.price,
  imageCount: body.imageUrls.length,
});

/** What the seller types, and what is to be read afterwards. */
const draft = (
  { drill, pick }: Client,
  ad: Pick<AdRecord, 'number' | 'isNegotiable'>,
  step: number,
  imageUrls: string[],
) => {
  const { number, isNegotiable } = ad;
  const text = {
    // an ad whose numbers differ from those of another is not similar to it
    title: `Drill ${number} step ${step}`,
    description: `Number ${number} as step ${step} left it`,
    price: `${10 + Math.floor(drill.random() * 900)}.00`,
  };
  const priceType = isNegotiable ? 'negotiable' : 'fixed';
  const content: AdContent = { ...text, imageCount: imageUrls.length };
  return { body: { ...text, category: pick(CATEGORIES)!, priceType, imageUrls }, content };
};

const postAd = async (client: Client): Promise<void> => {
  const { drill, chance } = client;
  const ad = { number: drill.ledger.nextNumber(), isNegotiable: chance(0.8) };
  const { body, content } = draft(client, ad, 0, await makeImages(client, 3));
  const write = keyed(client, createAd, { body }, (sent) => {
    record.latest = toLatest(sent.body);
  });
  const record = newAdRecord(write, { ...ad, content });
  drill.ledger.ads.push(record);
  await sendUntilAcknowledged(drill, write);
};

const listOwn = ({ drill, me }: Client) => listPresent(drill.ledger).filter(({ seller }) => seller === me);
const listOthers = ({ drill, me }: Client) => listPresent(drill.ledger).filter(({ seller }) => seller !== me);

/** Reads the version of an own ad if it is not known; undefined if it cannot be read. */
const refresh = async ({ drill, me }: Client, ad: AdRecord): Promise<AdRecord['latest']> => {
  if (ad.latest) return ad.latest;
  const sent = await send(drill, pickUrl(drill), me, getAd, { params: { id: ad.write.id } });
  if (sent.outcome === 'acknowledged') ad.latest = toLatest(sent.body);
  return ad.latest;
};

const editAd = async (client: Client): Promise<void> => {
  const { drill, me, pick, chance } = client;
  const ad = pick(listOwn(client));
  const latest = ad && (await refresh(client, ad));
  if (!ad || !latest) return;
  const kept = latest.imageUrls.filter(() => chance(0.7));
  const images = [...kept, ...(await makeImages(client, 4 - kept.length))];
  const { body, content } = draft(client, ad, drill.ledger.nextNumber(), images);
  const options = { params: { id: ad.write.id }, body: { ...body, version: latest.version } };
  const sent = await sendOnce(drill, me, updateAd, options);
  ad.latest = sent.outcome === 'acknowledged' ? toLatest(sent.body) : undefined;
  // its version guards it: it cannot happen after the next acknowledged edit
  const endedAt = Math.min(sent.endedAt, drill.ledger.tick());
  note(ad.contents, content, { ...sent, endedAt });
};

/** Changes something about an own ad other than its content. */
const changeAd = async (client: Client, ad: AdRecord, spec: KeyedWrite['spec'], body?: object): Promise<Sent> => {
  const sent = await sendOnce(client.drill, client.me, spec, { params: { id: ad.write.id }, body });
  ad.latest = sent.outcome === 'acknowledged' && sent.body ? toLatest(sent.body) : undefined;
  return sent;
};

const deleteOwnAd = async (client: Client): Promise<void> => {
  const own = listOwn(client);
  const ad = client.pick(own);
  // some remain, so that there is something to write about
  if (!ad || own.length < 3) return;
  const sent = await changeAd(client, ad, deleteAd);
  note(ad.deletions, true, sent);
  note(ad.holderId, null, sent);
};

const listBuyers = ({ messages }: Ledger, ad: AdRecord): Person[] => [
  ...new Set(messages.filter((each) => each.ad === ad && each.write.id !== undefined).map(({ buyer }) => buyer)),
];

const sell = async (client: Client, ad: AdRecord, buyer?: Person): Promise<void> => {
  const sent = await changeAd(client, ad, setAdSold, { isSold: true, ...(buyer && { buyerId: buyer.id }) });
  note(ad.isSold, true, sent);
  note(ad.holderId, null, sent);
  if (buyer) note(ad.buyerId, buyer.id, sent);
};

const sellOrRelist = async (client: Client): Promise<void> => {
  const { drill, pick, chance } = client;
  const ad = pick(listOwn(client));
  if (!ad) return;
  if (listPossible(ad.isSold).includes(true)) {
    const sent = await changeAd(client, ad, setAdSold, { isSold: false });
    note(ad.isSold, false, sent);
    note(ad.buyerId, null, sent);
    return;
  }
  await sell(client, ad, chance(0.7) ? pick(listBuyers(drill.ledger, ad)) : undefined);
};

const reserve = async (client: Client): Promise<void> => {
  const { drill, pick } = client;
  const ad = pick(listOwn(client));
  const buyer = ad && pick(listBuyers(drill.ledger, ad));
  if (!ad || !buyer) return;
  note(ad.holderId, buyer.id, await changeAd(client, ad, reserveAd, { userId: buyer.id }));
};

const release = async (client: Client): Promise<void> => {
  const { drill, me, pick } = client;
  const ad = pick(
    listPresent(drill.ledger).filter(
      ({ seller, holderId }) => holderId.length > 1 && (seller === me || listPossible(holderId).includes(me.id)),
    ),
  );
  if (!ad) return;
  const sent = await (ad.seller === me
    ? changeAd(client, ad, releaseAd)
    : sendOnce(drill, me, releaseAd, { params: { id: ad.write.id } }));
  note(ad.holderId, null, sent);
};

type Between = Pick<OfferRecord, 'ad' | 'buyer' | 'to'>;

/** The other person of a conversation that the ledger knows, or the seller of any ad. */
const drawConversation = (client: Client, isBegun: boolean): Between | undefined => {
  const { drill, me, pick } = client;
  const begun = drill.ledger.messages.filter(
    ({ ad, buyer, write }) => write.id !== undefined && ad.deletions.length === 0 && (buyer === me || ad.seller === me),
  );
  const known = pick(begun);
  if (known && (isBegun || client.chance(0.6)))
    return { ad: known.ad, buyer: known.buyer, to: known.buyer === me ? known.ad.seller : known.buyer };
  const ad = isBegun ? undefined : pick(listOthers(client));
  return ad && { ad, buyer: me, to: ad.seller };
};

const write = async (client: Client, { ad, buyer, to }: Between): Promise<void> => {
  const { ledger } = client.drill;
  const content = `Message ${ledger.nextNumber()} of ${client.me.name}`;
  const body = { adId: ad.write.id, receiverId: to.id, content };
  const message = keyed(client, sendMessage, { body });
  ledger.messages.push({ write: message, ad, buyer, to, content, readings: [] });
  await sendUntilAcknowledged(client.drill, message);
};

const writeMessage = async (client: Client): Promise<void> => {
  const between = drawConversation(client, false);
  if (between) await write(client, between);
};

const readMessage = async ({ drill, me, pick }: Client): Promise<void> => {
  const received = drill.ledger.messages.filter(({ to, write }) => to === me && write.id !== undefined);
  const message = pick(received.filter(({ readings }) => !isAcknowledged(readings))) ?? pick(received);
  if (!message) return;
  note(message.readings, true, await sendOnce(drill, me, markMessageRead, { params: { id: message.write.id } }));
};

/** Saves an ad, or removes it; sometimes twice at once, as a double click does. */
const toggle = async (client: Client): Promise<void> => {
  const { drill, me, pick, chance } = client;
  const ad = pick(listOthers(client));
  if (!ad) return;
  const favorite = getFavorite(drill.ledger, me, ad);
  const urls = chance(0.2) ? drill.urls : [pickUrl(drill)];
  const params = { id: ad.write.id };
  for (const sent of await Promise.all(urls.map((url) => sendOnce(drill, me, toggleFavorite, { params }, url))))
    if (sent.outcome === 'unknown') favorite.unknown++;
    else if (sent.outcome === 'acknowledged') favorite[sent.body.isFavorited ? 'saved' : 'removed']++;
};

/** Makes an offer, or another one in response to `countered`. */
const offer = async (client: Client, between: Between, countered?: OfferRecord): Promise<void> => {
  const { ledger } = client.drill;
  const amount = String(ledger.nextNumber());
  const options = countered
    ? { params: { id: countered.id }, body: { amount } }
    : { body: { adId: between.ad.write.id, receiverId: between.to.id, amount } };
  const write = keyed(client, countered ? offers.counterOffer : offers.makeOffer, options, (sent) => {
    Object.assign(record, { madeAt: sent.endedAt, id: (sent.body.offer as { id: string }).id });
    if (countered) note(countered.settlements, 'countered', { ...sent, outcome: 'acknowledged' });
  });
  const record: OfferRecord = { write, ...between, amount, settlements: [] };
  const span = { sentAt: ledger.tick(), endedAt: Number.POSITIVE_INFINITY };
  ledger.offers.push(record);
  const outcome = await sendUntilAcknowledged(client.drill, write);
  if (countered && outcome === 'unknown') note(countered.settlements, 'countered', { ...span, outcome });
};

const makeOffer = async (client: Client): Promise<void> => {
  const between = drawConversation(client, true);
  if (between?.ad.isNegotiable) await offer(client, between);
};

/** Two changes of one conversation or ad at the same moment, as a person with two windows makes them. */
const doTwoThings = async (client: Client): Promise<void> => {
  const between = drawConversation(client, true);
  if (!between) return;
  const { ad } = between;
  if (!ad.isNegotiable) await Promise.all([write(client, between), write(client, between)]);
  else if (ad.seller === client.me && client.chance(0.7)) await Promise.all([offer(client, between), sell(client, ad)]);
  else await Promise.all([write(client, between), offer(client, between)]);
};

const SETTLEMENTS = [
  [offers.acceptOffer, 'accepted'],
  [offers.declineOffer, 'declined'],
] as const;

const settleOffer = async (client: Client): Promise<void> => {
  const { drill, me, pick, chance } = client;
  const concerned = drill.ledger.offers.filter(
    ({ id, write, to }) => id !== undefined && (write.by === me || to === me),
  );
  const open = concerned.filter(({ settlements }) => !isAcknowledged(settlements));
  const chosen = chance(0.95) ? pick(open) : pick(concerned);
  if (!chosen) return;
  const params = { id: chosen.id };
  if (chosen.write.by === me) {
    note(chosen.settlements, 'withdrawn', await sendOnce(drill, me, offers.withdrawOffer, { params }));
    return;
  }
  const { ad, buyer } = chosen;
  if (chance(0.25)) return offer(client, { ad, buyer, to: chosen.write.by }, chosen);
  const [spec, status] = pick(SETTLEMENTS)!;
  const sent = await sendOnce(drill, me, spec, { params });
  note(chosen.settlements, status, sent);
  if (status === 'accepted') note(ad.holderId, buyer.id, sent);
};

const MOST_READ = 100;

/** Reads back what was acknowledged earlier, while the faults happen. */
const lookBack = async ({ drill, me, pick, chance }: Client): Promise<void> => {
  const { ledger } = drill;
  const read = (spec: KeyedWrite['spec'], options: SendOptions) => send(drill, pickUrl(drill), me, spec, options);
  if (chance(0.5)) {
    const message = pick(
      ledger.messages.filter(({ write, to }) => write.id !== undefined && (write.by === me || to === me)),
    );
    if (!message) return;
    const { ad, write, to } = message;
    const params = { adId: ad.write.id, otherUserId: to === me ? write.by.id : to.id };
    const { outcome, body } = await read(getConversation, { params, query: { limit: String(MOST_READ) } });
    const isThere = outcome !== 'acknowledged' || body.some(({ id }: { id: string }) => id === write.id);
    if (!isThere && body.length < MOST_READ)
      ledger.problems.push({
        kind: 'lost',
        what: `"${message.content}" was acknowledged, but ${me.name} does not see it`,
      });
    return;
  }
  const ad = pick(
    ledger.ads.filter(({ seller, write, deletions }) => seller === me && write.id && deletions.length === 0),
  );
  if (!ad) return;
  const { status, outcome, body } = await read(getAd, { params: { id: ad.write.id } });
  const possible = listPossible(ad.contents).map(({ title }) => title);
  if (status === 404 || (outcome === 'acknowledged' && !possible.includes(body.title)))
    ledger.problems.push({
      kind: 'lost',
      what: `ad ${ad.number} is ${status === 404 ? 'not there' : JSON.stringify(toContent(body))} instead of ${possible.join(' or ')}`,
    });
};

const ACTIONS: readonly [action: (client: Client) => Promise<void>, weight: number][] = [
  [postAd, 14],
  [editAd, 10],
  [deleteOwnAd, 2],
  [sellOrRelist, 6],
  [reserve, 3],
  [release, 3],
  [writeMessage, 26],
  [readMessage, 12],
  [toggle, 24],
  [makeOffer, 11],
  [doTwoThings, 14],
  [settleOffer, 14],
  [lookBack, 8],
];

const toClient = (drill: Drill, me: Person): Client => ({
  drill,
  me,
  pick: (items) => items[Math.floor(drill.random() * items.length)],
  chance: (part) => drill.random() < part,
});

/** Each person posts an ad before the faults begin. */
export const postFirstAds = async (drill: Drill, people: readonly Person[]): Promise<void> => {
  await Promise.all(people.map((me) => postAd(toClient(drill, me))));
};

/** Lets the people work until the drill is over; everything that they sent has an outcome then. */
export const runClients = async (drill: Drill, people: readonly Person[]): Promise<void> => {
  const { random, isOver } = drill;
  const draw = drawByWeight(ACTIONS, ([, weight]) => weight, random);
  const work = async (me: Person): Promise<void> => {
    const client = toClient(drill, me);
    while (!isOver()) {
      const [action] = draw();
      await action(client);
      // every page shows it
      if (random() < 0.3) await send(drill, pickUrl(drill), me, getUnreadCount);
      await sleep(random() * 40);
    }
  };
  await Promise.all(people.map(work));
};
