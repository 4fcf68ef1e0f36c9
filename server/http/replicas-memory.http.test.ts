import { beforeEach, expect, test } from 'vitest';
import * as admin from '../../contract/admin.ts';
import * as ads from '../../contract/ads.ts';
import { logout } from '../../contract/auth.ts';
import type { BodyInput, EndpointSpec, ParamsOf, ReplyOf } from '../../contract/endpoint.ts';
import * as favorites from '../../contract/favorites.ts';
import { type InitialState, toUrl } from '../../contract/initial-state.ts';
import * as messages from '../../contract/messages.ts';
import { deleteMe } from '../../contract/users.ts';
import type { Client } from '../../test/harness/client.ts';
import { adBody, insertAdmin, insertCategories, insertUser } from '../../test/harness/factories.ts';
import { startReplicas } from '../../test/harness/two-replicas.ts';
import type { UserRow } from '../db/rows.ts';
import { DEFAULT_SETTINGS } from '../features/settings/repository.ts';

const { app, anonymous, signIn } = await startReplicas();
await insertCategories(app);
const [, stranger] = anonymous;

type Reader = Pick<Client, 'send'>;

interface Person {
  /** Where the person reads. */
  there: Client;
  /** The same session there, without what a write left in the browser: it reads what that replica has in memory. */
  bystander: Reader;
  /** Writes at the other replica and brings along what that one's answer left in the browser. */
  write<E extends EndpointSpec>(spec: E, sent?: { params?: ParamsOf<E>; body?: BodyInput<E> }): Promise<ReplyOf<E>>;
}

async function enter(userId: string, kind?: 'password'): Promise<Person> {
  const [here, there] = await signIn(userId, kind);
  const session = here.headers.Cookie;
  return {
    there,
    bystander: { send: (path) => there.send(path, { headers: { Cookie: session! } }) },
    async write(spec, sent) {
      const { status, headers, body } = await here.call(spec, sent as never);
      expect([status, body]).toEqual([spec.status ?? (spec.reply ? 200 : 204), body]);
      const mark = headers.getSetCookie().find((cookie) => cookie.startsWith('wrote='));
      there.headers.Cookie = `${session}; ${mark?.split(';')[0]}`;
      return body;
    },
  };
}

const textOf = async (client: Reader, path: string): Promise<string> => {
  const { status, body } = await client.send(path);
  const text = JSON.stringify(body);
  if (status >= 500) throw new Error(`${path}: ${status} ${text}`);
  return text;
};

/** One after the other: a server that is asked for too much at once refuses. */
async function textsOf(client: Reader, paths: readonly string[]): Promise<[path: string, text: string][]> {
  const texts: [string, string][] = [];
  for (const path of paths) texts.push([path, await textOf(client, path)]);
  return texts;
}

const bootOf = async (client: Client, path: string): Promise<InitialState> => {
  const { body } = await client.send<string>(path);
  return JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(body)?.[1] ?? '');
};

/** Does `work` while another person requests the same without pause from the replica that is read, which has it in memory. */
async function whileOthersRead(
  paths: readonly string[],
  work: () => Promise<void>,
  other: Reader = stranger,
): Promise<void> {
  await textsOf(other, paths);
  let isDone = false;
  const readOn = async () => {
    while (!isDone) await textsOf(other, paths);
  };
  const others = readOn();
  await work().finally(() => {
    isDone = true;
    return others;
  });
}

let user: UserRow;
let seller: Person;
beforeEach(async () => {
  user = await insertUser(app);
  seller = await enter(user.id);
});

/** Every list, and every page with one, that an ad with these fields is on. */
const FIELDS = { category: 'musical-instruments', price: '77', description: 'A sousaphone' };
const listsOf = ({ id, username }: UserRow) => [
  '/api/ads',
  '/api/ads?category=musical-instruments',
  '/api/ads?minPrice=76&maxPrice=78',
  '/api/ads?search=sousaphone',
  `/api/users/${id}/ads`,
  `/api/users/${username}/profile`,
  '/',
  '/?category=musical-instruments',
  '/?minPrice=76&maxPrice=78',
  '/?search=sousaphone',
  '/categories?category=musical-instruments',
  `/users/${username}`,
];

/** By address, what has `title` there. */
const whereIs = async (client: Reader, paths: readonly string[], title: string) =>
  Object.fromEntries((await textsOf(client, paths)).map(([path, text]) => [path, text.includes(title)]));
const all = (paths: readonly string[], isThere: boolean) => Object.fromEntries(paths.map((path) => [path, isThere]));

test('who posts, edits and deletes an ad at one replica sees it in every list and page of the other at once', async () => {
  const lists = listsOf(user);
  await whileOthersRead(lists, async () => {
    const { id } = await seller.write(ads.createAd, { body: adBody({ ...FIELDS, title: 'First words' }) });
    expect(await whereIs(seller.there, lists, 'First words')).toEqual(all(lists, true));
    const paths = [...lists, `/api/ads/${id}`, `/ads/${id}`];
    await textsOf(stranger, paths);
    await seller.write(ads.updateAd, { params: { id }, body: adBody({ ...FIELDS, title: 'Other words' }) });
    expect(await whereIs(seller.there, paths, 'Other words')).toEqual(all(paths, true));
    expect(await whereIs(seller.there, paths, 'First words')).toEqual(all(paths, false));
    await seller.write(ads.setAdSold, { params: { id }, body: { isSold: true } });
    expect(await whereIs(seller.there, [`/api/ads/${id}`], '"isSold":true')).toEqual(all([`/api/ads/${id}`], true));
    await seller.write(ads.deleteAd, { params: { id } });
    expect(await whereIs(seller.there, paths, 'Other words')).toEqual(all(paths, false));
  });
});

test('and counts it', async () => {
  const paths = ['/api/stats', '/api/categories/stats', '/api/ads', '/'];
  await whileOthersRead(paths, async () => {
    const before = await seller.there.send('/api/categories/stats?by=slug');
    await seller.write(ads.createAd, { body: adBody(FIELDS) });
    const after = await seller.there.send('/api/categories/stats?by=slug');
    expect(after.body['musical-instruments']).toBe(before.body['musical-instruments'] + 1);
    const { data } = await bootOf(seller.there, '/');
    expect(data['/api/categories/stats?by=slug']).toEqual(after.body);
  });
});

test('who saves an ad at one replica has saved it at the other', async () => {
  const { id } = await seller.write(ads.createAd, { body: adBody(FIELDS) });
  const visitor = await enter((await insertUser(app)).id);
  const saved = async () => ({
    ids: await visitor.there.ok(favorites.listFavoriteIds),
    list: (await visitor.there.ok(favorites.listFavorites)).map((ad) => ad.id),
    page: (await bootOf(visitor.there, '/')).data[toUrl(favorites.listFavoriteIds)],
  });
  const paths = ['/', toUrl(favorites.listFavorites), toUrl(favorites.listFavoriteIds)];
  const asks = async () => {
    await visitor.write(favorites.toggleFavorite, { params: { id } });
    expect(await saved()).toEqual({ ids: [id], list: [id], page: [id] });
    await visitor.write(favorites.toggleFavorite, { params: { id } });
    expect(await saved()).toEqual({ ids: [], list: [], page: [] });
  };
  await whileOthersRead(paths, asks, visitor.bystander);
});

test('who writes or reads a message at one replica sees that at the other', async () => {
  const { id: adId } = await seller.write(ads.createAd, { body: adBody(FIELDS) });
  const buyer = await insertUser(app);
  const asker = await enter(buyer.id);
  const paths = ['/api/messages/unread-count', '/api/messages/user', '/'];
  const unread = async () => [
    await seller.there.ok(messages.getUnreadCount),
    (await bootOf(seller.there, '/')).data['/api/messages/unread-count'],
  ];
  const body = { adId, receiverId: user.id, content: 'Is it still there?' };
  const { id } = await asker.write(messages.sendMessage, { body });
  expect(await textOf(asker.there, '/api/messages/user')).toContain('Is it still there?');
  const reads = async () => {
    await seller.write(messages.markMessageRead, { params: { id } });
    expect(await unread()).toEqual([{ unreadCount: 0 }, { unreadCount: 0 }]);
  };
  await whileOthersRead(paths, reads, seller.bystander);
});

test('an administrator’s settings and decisions are seen by them at the other replica at once', async () => {
  const chief = await enter((await insertAdmin(app)).id, 'password');
  const { id } = await seller.write(ads.createAd, { body: adBody({ ...FIELDS, title: 'Hidden soon' }) });
  const paths = [...listsOf(user), `/ads/${id}`, '/api/admin/settings'];
  const decides = async () => {
    for (const maxImagesPerAd of [3, 2]) {
      await chief.write(admin.updateSettings, { body: { ...DEFAULT_SETTINGS, maxImagesPerAd } });
      expect(await chief.there.ok(admin.getSettings)).toMatchObject({ maxImagesPerAd });
      expect((await bootOf(chief.there, '/')).env.maxImages).toBe(maxImagesPerAd);
    }
    await chief.write(admin.setAdStatus, { params: { id }, body: { status: 'inactive', reason: 'no' } });
    const lists = listsOf(user).filter((path) => !path.endsWith('/ads'));
    expect(await whereIs(chief.there, lists, 'Hidden soon')).toEqual(all(lists, false));
  };
  await whileOthersRead(paths, decides, chief.bystander);
});

test('a person who signs out at one replica is signed out at the other, even with the old cookie', async () => {
  const paths = ['/api/auth/me', '/'];
  const leaves = async () => {
    await seller.write(logout);
    expect((await seller.there.send('/api/auth/me')).status).toBe(401);
    expect((await bootOf(seller.there, '/')).me).toBeNull();
  };
  await whileOthersRead(paths, leaves, seller.bystander);
});

test('who deletes their account at one replica is gone from the other', async () => {
  await seller.write(ads.createAd, { body: adBody({ ...FIELDS, title: 'Last words' }) });
  const lists = listsOf(user);
  await whileOthersRead(lists, async () => {
    await seller.write(deleteMe);
    expect(await whereIs(seller.there, lists, 'Last words')).toEqual(all(lists, false));
    const { username } = user;
    expect((await seller.there.send(`/api/users/${username}/profile`)).status).toBe(404);
    expect((await seller.there.send(`/users/${username}`)).status).toBe(404);
  });
});
