import { beforeAll, expect, test } from 'vitest';
import { createAd, getAd, listAds } from '../../../contract/ads.ts';
import type { ErrorReply } from '../../../contract/errors.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import type { Answer, Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';

const { app, url, anonymous, createPerson } = await openTestApp({ env: { LOCALES: 'en,de,ja,ar' } });
await insertCategories(app);

let seller: Person;
let adId: string;
beforeAll(async () => {
  seller = await createPerson();
  adId = (await seller.client.ok(createAd, { body: adBody() })).id;
});

type Ask = (headers: Record<string, string>) => Promise<Answer<unknown>>;

const askFor =
  (client: Client): Ask =>
  (headers) =>
    client.call(getAd, { params: { id: '999999999' }, headers });

const sayIn = async (ask: Ask, language: string): Promise<ErrorReply> =>
  (await ask({ 'Accept-Language': language })).body as ErrorReply;

const QUESTIONS: Record<string, [ask: Ask, en: string, de: string, ja: string, ar: string]> = {
  'an ad that is not there': [
    askFor(anonymous),
    'Ad not found',
    'Anzeige nicht gefunden',
    '商品が見つかりません',
    'الإعلان غير موجود',
  ],
  'an endpoint that is not there': [
    (headers) => anonymous.send('/api/nothing', { headers }),
    'Not found',
    'Nicht gefunden',
    '見つかりません',
    'غير موجود',
  ],
  'a visitor who writes': [
    (headers) => anonymous.send('/api/messages', { method: 'POST', body: {}, headers }),
    'Please log in',
    'Bitte melde dich an',
    'ログインしてください',
    'سجّل الدخول من فضلك',
  ],
  'a message to oneself': [
    (headers) => seller.client.call(sendMessage, { body: { adId, receiverId: seller.id, content: 'Hello' }, headers }),
    'You cannot write to yourself.',
    'Du kannst dir nicht selbst schreiben.',
    '自分にメッセージは送れません。',
    'لا يمكنك مراسلة نفسك.',
  ],
  'a body that is no JSON': [
    (headers) => anonymous.send('/api/contact', { method: 'POST', body: '{', headers }),
    'The request body is not valid JSON',
    'Der Inhalt der Anfrage ist kein gültiges JSON',
    'リクエストの本文が正しいJSONではありません',
    'محتوى الطلب ليس JSON صالحًا',
  ],
};

test.each(Object.entries(QUESTIONS))(
  '%s is answered in the language that is asked for',
  async (_, [ask, en, de, ja, ar]) => {
    const answers = await Promise.all(['en', 'de', 'ja', 'ar'].map((language) => sayIn(ask, language)));
    expect(answers.map(({ message }) => message)).toEqual([en, de, ja, ar]);
    expect(new Set(answers.map(({ code }) => code)).size).toBe(1);
  },
);

test('without a language, and with one that the site does not speak, an error is English', async () => {
  const response = await fetch(`${url}/api/ads/999999999`);
  expect(((await response.json()) as ErrorReply).message).toBe('Ad not found');
  expect((await sayIn(askFor(anonymous), 'ko')).message).toBe('Ad not found');
});

test('a page names its language, and the cookie counts where no language is named', async () => {
  const ask = askFor(anonymous);
  expect((await ask({ Cookie: 'language=ja', 'Accept-Language': 'de' })).body).toMatchObject({
    message: 'Anzeige nicht gefunden',
  });
  expect((await ask({ Cookie: 'language=ja', 'Accept-Language': '*' })).body).toMatchObject({
    message: '商品が見つかりません',
  });
});

test('what is wrong with fields is said in the language, by the checks of the contract and by those of services', async () => {
  const post = (body: object, language: string) =>
    seller.client.send<ErrorReply>('/api/ads', { method: 'POST', body, headers: { 'Accept-Language': language } });
  const empty = await post({ ...adBody(), title: ' ', description: 'x'.repeat(20_000), price: 'cheap' }, 'de');
  expect(empty.body).toMatchObject({
    code: 'validation_failed',
    message: 'Der Titel fehlt',
    fields: {
      title: 'Der Titel fehlt',
      price:
        'Der Preis muss eine Zahl wie 25, 9,50 oder 1.250 sein, von 0 bis 99.999.999,99 mit höchstens zwei Nachkommastellen',
    },
  });
  const unknown = await post({ ...adBody(), category: 'unicorns' }, 'ja');
  expect(unknown.body).toMatchObject({ message: '不明なカテゴリーです', fields: { category: '不明なカテゴリーです' } });
  const detail = await post({ ...adBody(), details: { horns: '1' } }, 'ar');
  expect(detail.body).toMatchObject({ fields: { 'details.horns': 'ليس في هذا القسم هذه التفصيلة' } });
});

test('errors of cached lists are not shared between languages', async () => {
  const ask = (language: string) =>
    anonymous.call(listAds, { query: { radius: '10' } as never, headers: { 'Accept-Language': language } });
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(['de', 'ja', 'en', 'ar'].map(ask));
    expect(answers.map(({ body }) => (body as unknown as ErrorReply).fields?.radius)).toEqual([
      'Wähle zuerst einen Ort',
      '先に場所を選んでください',
      'Choose a place first',
      'اختر مكانًا أولًا',
    ]);
    for (const { headers } of answers) expect(headers.get('Cache-Control')).toBe('no-store');
    const wrong = await Promise.all(
      ['de', 'en'].map((language) =>
        anonymous.send<ErrorReply>('/api/ads?radius=near', { headers: { 'Accept-Language': language } }),
      ),
    );
    const [german, english] = wrong.map(({ body }) => body.message.split(' ', 2).join(' '));
    expect([german, english]).toEqual(['Möglich ist:', 'Must be']);
  }
});

test('params are what a text names, whatever the language', async () => {
  await app.db('users').where({ id: seller.id }).update({ suspended_until: '2099-12-01T08:30:00Z' });
  const own = (language: string) =>
    sayIn((headers) => seller.client.send('/api/messages/unread-count', { headers }), language);
  // the session keeps its user until it hears of the change
  await expect.poll(() => own('de')).toHaveProperty('params');
  const [german, english] = [await own('de'), await own('en')];
  expect(german.message).toBe('Dein Konto ist bis 1. Dezember 2099 um 08:30 UTC gesperrt.');
  expect(english.message).toBe('Your account is suspended until December 1, 2099 at 8:30 AM UTC.');
  expect(german.params).toEqual({ until: '2099-12-01T08:30:00.000Z' });
  expect(english.params).toEqual(german.params);
});
