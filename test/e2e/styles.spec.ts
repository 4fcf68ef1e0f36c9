import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { deleteAds, listAds, postAds, SELLER } from './content.ts';
import { openAs, type Viewer } from './viewers.ts';

const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);

/** The computed value of a style on an element without other styles. */
const plain = (page: Page, property: string, value: string): Promise<string> =>
  page.evaluate(
    ([name, wanted]) => {
      const probe = document.createElement('div');
      probe.style.setProperty(name, wanted);
      document.body.append(probe);
      const computed = getComputedStyle(probe).getPropertyValue(name);
      probe.remove();
      return computed;
    },
    [property, value] as const,
  );

const open = async (browser: Parameters<typeof openAs>[0], path: string, viewer?: Viewer) => {
  const opened = await openAs(browser, { viewer });
  await opened.page.goto(path);
  await expectAlive(opened.page);
  return opened;
};

test('"Continue with X" is in the colours of X', async ({ browser }) => {
  const { page, close } = await open(browser, '/create-ad');
  await page.locator('main').getByRole('button', { name: 'Sign In' }).click();
  const button = page.getByRole('button', { name: 'Continue with X' });
  // The dialog opens with its button below the pointer, which has a colour of its own.
  await page.mouse.move(0, 0);
  const foreground = await plain(page, 'background-color', 'var(--foreground)');
  await expect.poll(() => styleOf(button, 'background-color')).toBe(foreground);
  expect(await styleOf(button, 'color')).toBe(await plain(page, 'color', 'var(--background)'));
  await close();
});

test('what deletes is red', async ({ browser, request }) => {
  const ad = (await listAds(request)).find(({ userId }) => userId === SELLER);
  const { page, close } = await open(browser, `/ads/${ad?.id}`, SELLER);
  const red = await plain(page, 'color', 'var(--destructive)');
  expect(await styleOf(page.getByRole('button', { name: /^Delete/ }), 'color')).toBe(red);
  await page.goto('/dashboard');
  await expectAlive(page);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  expect(await styleOf(page.getByRole('button', { name: 'Delete my account' }), 'color')).toBe(red);
  await close();
});

test('the most popular categories are tinted', async ({ browser }) => {
  const { page, close } = await open(browser, '/categories');
  const tile = (region: string) => page.getByRole('region', { name: region }).getByRole('link').first();
  const tint = await styleOf(tile('Most Popular'), 'background-color');
  expect(tint).not.toBe(await styleOf(tile('All Categories'), 'background-color'));
  await close();
});

test('the icon of an ad without photos fits its thumbnail', async ({ browser, request }) => {
  const ids = await postAds(request, 1, 'Photoless');
  const { page, close } = await open(browser, '/dashboard', SELLER);
  const icon = page.getByRole('row', { name: /Photoless/ }).locator('.no-photo svg');
  // Chromium lays out in steps of 1/64 px.
  expect(Number.parseFloat(await styleOf(icon, 'width'))).toBeCloseTo(22.4, 1);
  await close();
  await deleteAds(request, ids);
});

test('a class of the caller wins over the look of each part, in whatever order the style sheet has them', async ({
  browser,
}) => {
  const { page, close } = await open(browser, '/');
  const styled = (className: string, property: string) =>
    page.evaluate(
      ([classes, name]) => {
        const probe = document.createElement('div');
        probe.className = classes;
        document.body.append(probe);
        const computed = getComputedStyle(probe).getPropertyValue(name);
        probe.remove();
        return computed;
      },
      [className, property] as const,
    );
  for (const [className, property] of [
    ['rounded-card', 'border-top-left-radius'],
    ['bg-surface', 'background-color'],
    ['text-sm', 'font-size'],
    ['p-3', 'padding-top'],
  ] as const)
    for (const part of [
      'skeleton',
      'card',
      'button button-outline button-md',
      'badge badge-strong',
      'control',
      'avatar',
    ])
      expect(await styled(`${part} ${className}`, property), part).toBe(await styled(className, property));
  await close();
});

test('the photo of a card moves to the page of its ad and back, unless one asks for less motion', async ({
  browser,
}) => {
  const { page, close } = await open(browser, '/');
  await page.evaluate(() => {
    const moved: boolean[] = [];
    const start = document.startViewTransition.bind(document);
    const isOfPhoto = ({ effect }: Animation) => (effect as KeyframeEffect).pseudoElement?.includes('(photo-') === true;
    document.startViewTransition = (update) => {
      const transition = start(update);
      void transition.ready.then(() => moved.push(document.getAnimations().some(isOfPhoto)));
      return transition;
    };
    Object.assign(window, { moved });
  });
  const moved = () => page.evaluate(() => (window as unknown as { moved: boolean[] }).moved);
  const card = page.locator('article:has(img) h3 a').first();
  const expected: boolean[] = [];
  for (const [reducedMotion, moves] of [
    ['no-preference', true],
    ['reduce', false],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await card.click();
    await expect(page).toHaveURL(/\/ads\//);
    await expect.poll(moved).toEqual([...expected, moves]);
    await page.goBack();
    await expect(card).toBeVisible();
    expected.push(moves, moves);
    await expect.poll(moved).toEqual(expected);
  }
  await close();
});

test('a tap counts while the photo still moves to the page of its ad', async ({ browser }) => {
  const { page, close } = await open(browser, '/');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => {
    const slow = new CSSStyleSheet();
    slow.replaceSync('::view-transition-group(*) { animation-duration: 60s !important }');
    document.adoptedStyleSheets.push(slow);
  });
  await page.locator('article:has(img) h3 a').first().click();
  await expect(page).toHaveURL(/\/ads\//);
  const photo = page.getByRole('button', { name: /^View photo 1/ });
  await expect(photo).toBeVisible();
  const isMoving = () => page.evaluate(() => document.getAnimations().some(({ playState }) => playState === 'running'));
  await expect.poll(isMoving).toBe(true);
  const box = (await photo.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page.getByRole('dialog', { name: /^Photos of/ })).toBeVisible();
  await close();
});
