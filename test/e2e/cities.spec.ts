import { writeFile } from 'node:fs/promises';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { speaking, type TextKey, type TextValues, t } from '../../contract/i18n.ts';
import { getDirection, type Language, toLocale } from '../../contract/languages.ts';
import { formatPrice } from '../../contract/money.ts';
import { toCurrency } from '../../server/config/currencies.ts';
import { readTexts } from '../../server/lib/catalogs.ts';
import { type OwnMarketplace, startOwnMarketplace } from '../harness/own-marketplace.ts';
import { makePhoto } from '../harness/photos.ts';
import { expectAlive } from './alive.ts';
import { PHONE } from './people.ts';

/*
 * The main job in three marketplaces, each in its own language and currency alone: post, find, save, ask, offer, accept, sell,
 * rate. The texts come from the catalogs, so a text that the page has elsewhere fails the journey.
 */

interface City {
  name: string;
  language: Language;
  currency: string;
  seller: string;
  buyer: string;
  title: string;
  description: string;
  /** A word of the title or text as a buyer types it. */
  search: string;
  /** As a person of the city types it, and in the form of the API. */
  price: [typed: string, amount: string];
  offer: [typed: string, amount: string];
  question: string;
  answer: string;
  praise: string;
}

const CITIES: City[] = [
  {
    name: 'Kiezmarkt Berlin',
    language: 'de',
    currency: 'EUR',
    seller: 'Jürgen Groß',
    buyer: 'Ayşe Yıldız',
    title: 'Küchentisch aus Eiche mit vier Stühlen',
    description: 'Ausziehbar auf zwei Meter.\nKleine Kratzer an einem Bein. Abholung in Neukölln.',
    search: 'kuechentisch',
    price: ['1.249,50', '1249.50'],
    offer: ['1.100', '1100'],
    question: 'Ist der Tisch noch da? Ich könnte am Samstag kommen.',
    answer: 'Ja, Samstagvormittag passt.',
    praise: 'Alles wie beschrieben, und beim Tragen geholfen.',
  },
  {
    name: '東京マーケット',
    language: 'ja',
    currency: 'JPY',
    seller: '佐藤 美咲',
    buyer: '田中 健',
    title: 'ワイヤレスイヤホン 充電ケース付き',
    description: '去年の冬に購入しました。\n右側に小さな傷があります。',
    search: 'イヤホン',
    price: ['１２，８００', '12800'],
    offer: ['11000', '11000'],
    question: 'まだありますか？土曜日に受け取れます。',
    answer: 'はい、土曜の午前なら大丈夫です。',
    praise: 'とても親切で、説明どおりの品でした。',
  },
  {
    name: 'سوق الرياض',
    language: 'ar',
    currency: 'SAR',
    seller: 'نورة العتيبي',
    buyer: 'فهد الحربي',
    title: 'طاولة طعام خشبية مع أربعة كراسي',
    description: 'مستعملة سنة واحدة.\nخدش بسيط في إحدى الأرجل.',
    search: 'طاولة',
    price: ['١٢٥٠٫٥٠', '1250.50'],
    offer: ['1100', '1100'],
    question: 'هل ما زالت متوفرة؟ أستطيع الحضور يوم السبت.',
    answer: 'نعم، صباح السبت مناسب.',
    praise: 'تعامل راقٍ والطاولة كما في الوصف.',
  },
];

const enter = async (browser: Browser, place: Place, id: string, onPhone: boolean) => {
  const { marketplace, say } = place;
  const name = onPhone ? place.city.buyer : place.city.seller;
  const username = `person_${id}`;
  const body = JSON.stringify({ id, username, name });
  const reply = await fetch(`${marketplace.sandboxUrl}/__sandbox/personas`, { method: 'POST', body });
  expect(reply.status).toBe(201);
  const { language } = place.city;
  const context = await browser.newContext({
    ...(onPhone ? PHONE : {}),
    baseURL: marketplace.address,
    locale: toLocale(language),
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto('/');
  await expectAlive(page);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  const direction = await page.evaluate(() => getComputedStyle(document.body).direction);
  expect(direction).toBe(getDirection(language));
  if (onPhone) await page.getByRole('button', { name: say('shell.menu'), exact: true }).click();
  await page
    .getByRole('button', { name: say('shell.signIn'), exact: true })
    .locator('visible=true')
    .first()
    .click();
  await page.getByRole('button', { name: say('auth.continueWithX') }).click();
  await page.getByRole('button', { name: `@${username}` }).click();
  await page.getByRole('button', { name: 'Authorize app' }).click();
  await page.waitForURL((url) => url.href === `${marketplace.address}/`);
  await expect(page.getByRole('link', { name: say('shell.messages') }).first()).toBeVisible();
  await expectAlive(page);
  return { page, problems };
};

interface Place {
  city: City;
  marketplace: OwnMarketplace;
  /** A text in the language of the city. */
  say: (key: TextKey, values?: TextValues) => string;
}

const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await expectAlive(page);
};

for (const city of CITIES)
  test.describe(city.name, () => {
    const texts = readTexts(city.language);
    const say: Place['say'] = (key, values) => speaking(texts, () => t(key, values));
    const show = (amount: string): string =>
      formatPrice(amount, { currency: toCurrency(city.currency), locale: toLocale(city.language) });
    let marketplace: OwnMarketplace;

    test.beforeAll(async () => {
      const { language: LOCALES, currency: CURRENCY, name: SITE_NAME } = city;
      marketplace = await startOwnMarketplace({ settings: { LOCALES, CURRENCY, SITE_NAME } });
    });
    test.afterAll(() => marketplace?.remove());

    test('two people do the whole main job in their language and currency', async ({ browser }, info) => {
      const photo = info.outputPath('photo.jpg');
      await writeFile(photo, await makePhoto({ kind: 'furniture', seed: 7, gps: true }));
      const place = { city, marketplace, say };
      const seller = await enter(browser, place, '7701', false);
      const buyer = await enter(browser, place, '7702', true);
      const toAd = (page: Page) => page.getByRole('link', { name: city.title, exact: true }).first();

      await test.step('the seller posts an ad, with the price as people write it there', async () => {
        const { page } = seller;
        await open(page, '/create-ad');
        await expect(page).toHaveTitle(new RegExp(city.name));
        await page.locator('input[type=file]').setInputFiles(photo);
        await expect(page.getByRole('button', { name: say('photos.remove', { number: 1 }) })).toBeVisible();
        await page.getByLabel(say('post.title')).first().fill(city.title);
        await page.getByLabel(say('post.description')).first().fill(city.description);
        await page.getByLabel(say('post.price')).first().fill(city.price[0]);
        await page.getByLabel(say('post.category')).first().selectOption('other');
        await page.getByText(say('post.moreDetails')).click();
        await page.getByLabel(say('post.kindOfPrice')).selectOption('negotiable');
        await page
          .locator('#main')
          .getByRole('button', { name: say('shell.postAd'), exact: true })
          .click();
        await expect(page.getByText(say('post.created')).first()).toBeVisible();
        await page.waitForURL('**/dashboard');
      });

      await test.step('the buyer finds it by a word, saves it and sees the price', async () => {
        const { page } = buyer;
        await open(page, `/?search=${encodeURIComponent(city.search)}`);
        await page.getByRole('button', { name: say('list.saveAd', { title: city.title }) }).tap();
        await expect(page.getByText(say('list.favoriteAdded')).first()).toBeVisible();
        await toAd(page).tap();
        await expect(page.getByRole('heading', { name: city.title, level: 1 })).toBeVisible();
        await expect(page.getByText(show(city.price[1])).locator('visible=true').first()).toBeVisible();
      });

      await test.step('writes to the seller and makes an offer', async () => {
        const { page } = buyer;
        await page
          .getByRole('button', { name: say('ad.contactSeller') })
          .locator('visible=true')
          .first()
          .tap();
        const dialog = page.getByRole('dialog');
        await dialog.getByPlaceholder(say('messages.placeholder')).fill(city.question);
        await dialog.getByRole('button', { name: say('messages.sendMessage') }).tap();
        await dialog.getByRole('link', { name: say('messages.openFull') }).tap();
        await page.waitForURL('**/messages/**');
        await expect(page.getByRole('log').getByText(city.question)).toBeVisible();
        await page.getByRole('button', { name: say('messages.makeOffer') }).tap();
        await page.getByLabel(say('messages.yourOffer')).fill(city.offer[0]);
        await page.getByRole('button', { name: say('messages.sendOffer') }).tap();
        await expect(page.locator('[data-slot=offer]').last()).toContainText(show(city.offer[1]));
      });

      await test.step('the seller answers, accepts and marks it as sold', async () => {
        const { page } = seller;
        await open(page, '/messages');
        const card = page.locator('[data-slot=card]').filter({ hasText: city.title });
        await card.getByRole('link', { name: say('messages.viewConversation') }).click();
        await page.getByPlaceholder(say('messages.placeholder')).fill(city.answer);
        await page.getByRole('button', { name: say('messages.sendMessage') }).click();
        await expect(buyer.page.getByRole('log').getByText(city.answer)).toBeVisible();
        const amount = show(city.offer[1]);
        await page.getByRole('button', { name: say('messages.acceptOffer', { amount }) }).click();
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: say('messages.accept'), exact: true })
          .click();
        await expect(buyer.page.locator('[data-slot=offer]').last()).toContainText(say('messages.offer_accepted'));
        await page.getByRole('button', { name: say('messages.markSold') }).click();
        const dialog = page.getByRole('dialog', { name: say('sale.who') });
        await expect(dialog.getByRole('radio', { name: city.buyer })).toBeChecked();
        await dialog.getByRole('button', { name: say('sale.markSold') }).click();
        await expect(page.getByText(say('sale.soldToast')).first()).toBeVisible();
      });

      await test.step('the buyer sees it among the purchases, and rates the seller', async () => {
        const { page } = buyer;
        await open(page, '/dashboard#purchases');
        const purchases = page.getByRole('region', { name: say('deals.purchases'), exact: true });
        const values = { name: city.seller, ad: city.title };
        await purchases.getByRole('button', { name: say('deals.ratePerson', values) }).tap();
        const dialog = page.getByRole('dialog', { name: say('deals.rateTitle', { name: city.seller }) });
        await dialog.getByRole('radio', { name: say('deals.value_good') }).check();
        await dialog.getByLabel(say('deals.inYourWords')).fill(city.praise);
        await dialog.getByRole('button', { name: say('deals.sendRating') }).tap();
        await expect(purchases.getByText(city.praise)).toBeVisible();
      });

      expect(seller.problems).toEqual([]);
      expect(buyer.problems).toEqual([]);
      for (const { page } of [seller, buyer]) await page.context().close();
    });
  });
