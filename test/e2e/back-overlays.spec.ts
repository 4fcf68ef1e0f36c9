import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAlive, expectSettled } from './alive.ts';
import { BUYER, SELLER } from './content.ts';
import { prepareOverlays } from './overlay-data.ts';
import { IN_PAGE, OVERLAYS } from './overlays.ts';
import { sayEnglish } from './pseudo.ts';
import { addressOf, prepareScreens, type ScreenNames, showScreen } from './screen-data.ts';
import { SCREENS, type Screen } from './screens.ts';
import { openAs, type Viewer } from './viewers.ts';

let names: ScreenNames;

test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
  await prepareOverlays(baseURL ?? '', names);
});

const BEFORE = '/how-it-works';
const pathOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;
const layers = (page: Page) => page.locator('[data-escape][data-state=open]');

/** What opens within the page, has a Back of its own, or changes the ad when it opens. */
const OTHERS = new Set([...IN_PAGE, 'leave-form', 'version-conflict']);
const ROWS: (Screen & { width?: number })[] = [
  ...OVERLAYS,
  ...SCREENS.filter(({ open }) => open).map((screen) => ({ ...screen, width: 390 })),
].filter(({ name }) => !OTHERS.has(name));
const VIEWERS = [...new Set(ROWS.map(({ viewer = 'nobody' }) => viewer))];

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

for (const viewer of VIEWERS)
  test(`Back and Escape close what is on top, for ${viewer}`, async ({ browser }) => {
    const { page, close } = await openAs(browser, { viewer });
    for (const row of ROWS.filter((row) => (row.viewer ?? 'nobody') === viewer))
      await test.step(row.name, async () => {
        await page.setViewportSize({ width: row.width ?? 390, height: 844 });
        await page.goto(BEFORE);
        await showScreen(page, row, names);
        await expectSettled(page);
        const path = pathOf(page);
        await expect.poll(() => layers(page).count(), 'something is open').toBeGreaterThan(0);
        const depth = await layers(page).count();
        const scrolled = await page.evaluate(() => scrollY);
        for (let left = depth - 1; left >= 0; left--) {
          await page.goBack();
          await expect(layers(page)).toHaveCount(left);
          await expectSettled(page);
          expect(pathOf(page)).toBe(path);
        }
        expect(await page.evaluate(() => scrollY)).toBe(scrolled);
        await expect.poll(() => focused(page), 'the focus is back').not.toBe('BODY');

        await page.goForward();
        await expectSettled(page);
        await expect(layers(page)).toHaveCount(0);
        expect(pathOf(page)).toBe(path);

        await row.open?.(page, sayEnglish);
        await expect(layers(page)).toHaveCount(depth);
        await expectSettled(page);
        for (let left = depth - 1; left >= 0; left--) {
          await page.keyboard.press('Escape');
          await expect(layers(page)).toHaveCount(left);
        }
        await expect.poll(() => focused(page), 'the focus is back').not.toBe('BODY');
        await expectSettled(page);
        await page.goBack();
        await expect.poll(() => pathOf(page)).toBe(BEFORE);
      });
    await close();
  });

interface TypedForm {
  name: string;
  path: string;
  viewer: Viewer;
  /** Opens the dialog of the form. */
  open?: (page: Page) => Promise<void>;
  field: (page: Page) => Locator;
  text?: string;
  /** Otherwise it keeps the text without a question. */
  asks?: true;
}

const openOverlay = (name: string) => async (page: Page) =>
  ROWS.find((row) => row.name === name)?.open?.(page, sayEnglish);
const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const label = (name: string) => (page: Page) => page.getByLabel(name).first();
const inDialog = (name: string) => (page: Page) => page.getByRole('dialog').getByLabel(name);

/** Without a load of the document, as a link does. */
const goWithin = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({ idx: history.state.idx + 1, key: 'within' }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, address);

const FORMS: TypedForm[] = [
  { name: 'new ad', path: '/create-ad', viewer: SELLER, field: label('Title'), asks: true },
  { name: 'edit', path: '/ads/:ad/edit', viewer: SELLER, field: label('Title'), asks: true },
  { name: 'contact page', path: '/contact', viewer: 'nobody', field: label('Subject'), asks: true },
  { name: 'message', path: '/messages/:talk/1001', viewer: BUYER, field: (page) => page.locator('main textarea') },
  {
    name: 'offer',
    path: '/ads/:talk',
    viewer: BUYER,
    open: openOverlay('offer'),
    field: (page) => page.getByRole('dialog').getByRole('textbox'),
    text: '12',
  },
  {
    name: 'first message',
    path: '/ads/:talk',
    viewer: BUYER,
    open: openOverlay('contact-seller'),
    field: (page) => page.getByRole('dialog').locator('textarea'),
  },
  { name: 'report', path: '/ads/:ad', viewer: BUYER, open: openOverlay('report'), field: inDialog('Details') },
  {
    name: 'rating',
    path: '/dashboard?tab=buying',
    viewer: BUYER,
    open: openOverlay('rating'),
    field: inDialog('In your words'),
  },
  {
    name: 'saved search',
    path: '/?search=sofa',
    viewer: BUYER,
    open: openOverlay('save-search'),
    field: label('Name'),
  },
  {
    name: 'lower price',
    path: '/dashboard',
    viewer: SELLER,
    open: openOverlay('lower-price'),
    field: label('New price'),
    text: '1',
  },
  {
    name: 'address',
    path: '/preferences',
    viewer: SELLER,
    open: click('Change'),
    field: label('E-mail address'),
    text: 'half@mail.example',
  },
  { name: 'notice', path: '/admin', viewer: 'admin', open: openOverlay('notice-to-everyone'), field: label('Title') },
  { name: 'settings', path: '/admin?tab=settings', viewer: 'admin', field: label('Banned words') },
];

for (const { name, path, viewer, open, field, text = 'Half a thought', asks } of FORMS)
  test(`what is typed is not lost by Back or a link: ${name}`, async ({ browser }) => {
    const { page, close } = await openAs(browser, { viewer, width: 390 });
    const address = addressOf({ path } as Screen, names);
    const openForm = async () => {
      await page.goto(BEFORE);
      await expectAlive(page);
      await goWithin(page, address);
      await open?.(page);
      await field(page).waitFor();
    };
    await openForm();
    await field(page).fill(text);
    await expectSettled(page);
    const question = page.getByRole('alertdialog', { name: 'Leave this page?' });
    /** The router takes Back back a moment later. */
    const expectStay = async (isAsked: boolean) => {
      await expect(question).toHaveCount(isAsked ? 1 : 0);
      await expect.poll(() => pathOf(page)).toBe(address);
    };
    if (asks) {
      await page.goBack();
      await expectStay(true);
      await page.goBack();
      await expectStay(false);
      await page.getByRole('contentinfo').getByRole('link', { name: 'Safety Tips' }).click();
      await expectStay(true);
      await page.goBack();
      await expectStay(false);
      await page.getByRole('contentinfo').getByRole('link', { name: 'Safety Tips' }).click();
      await expectStay(true);
      await page.keyboard.press('Escape');
      await expectStay(false);
      await expect(field(page)).toHaveValue(text);
      await page.goBack();
      await question.getByRole('button', { name: 'Leave' }).click();
    } else {
      const isOver = (await layers(page).count()) > 0;
      await page.goBack();
      if (isOver) {
        await expect(layers(page)).toHaveCount(0);
        expect(pathOf(page)).toBe(address);
        await page.goBack();
      }
    }
    await expect.poll(() => pathOf(page)).toBe(BEFORE);
    await expect(question).toHaveCount(0);
    if (!asks) {
      await openForm();
      await expect(field(page)).toHaveValue(text);
    }
    await close();
  });
