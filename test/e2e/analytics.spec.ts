import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { expectAccessible, expectNoSidewaysScroll } from './audit.ts';
import { fillFigures, SELLER } from './content.ts';
import { takePicture } from './pictures.ts';
import { openAs, THEMES } from './viewers.ts';

test.beforeAll(fillFigures);

/** Whether the chart has been drawn: a canvas that was never drawn on is transparent. */
const isDrawn = (page: Page, name: RegExp) =>
  page.getByRole('img', { name }).evaluate((canvas: HTMLCanvasElement) =>
    canvas
      .getContext('2d')
      ?.getImageData(0, 0, canvas.width, canvas.height)
      .data.some((byte) => byte !== 0),
  );

/** Charts that are drawn for another width than their place has, or leave it. */
const listBadCharts = (page: Page) =>
  page.locator('[data-slot=day-chart]').evaluateAll((places) =>
    places.flatMap((place) => {
      const canvas = place.querySelector('canvas');
      const isRight = canvas?.clientWidth === place.clientWidth && Math.abs(canvas.width - place.clientWidth) <= 1;
      return isRight ? [] : [`${canvas?.width} drawn, ${canvas?.clientWidth} shown, ${place.clientWidth} wide`];
    }),
  );

test('the panel draws a month or a year of figures, by keyboard too, with a table and a CSV file behind them', async ({
  browser,
}) => {
  const { page, problems, close } = await openAs(browser, { viewer: 'admin' });
  await page.goto('/admin?tab=analytics');
  await expectAlive(page);
  await expect(page.getByRole('img', { name: /^Chart of/ })).toHaveCount(6);
  for (const name of ['New people', 'New ads', 'Messages', 'Visits', 'Sales', 'Reports'])
    await expect.poll(() => isDrawn(page, new RegExp(`^Chart of ${name} by day. Most: `))).toBe(true);

  await page.getByRole('button', { name: 'Show as table: Sales' }).press('Enter');
  const sales = page.getByRole('table', { name: 'Sales by day, newest first' });
  await expect(sales.getByRole('row')).toHaveCount(31);
  await expect(sales.getByRole('columnheader')).toHaveText(['Day', 'Sales', 'Sum of sales']);
  await page.getByRole('button', { name: '365 days' }).press('Enter');
  await expect(sales.getByRole('row')).toHaveCount(366);
  await page.getByRole('button', { name: 'Show as chart: Sales' }).press('Enter');
  await expect.poll(() => isDrawn(page, /^Chart of Sales/)).toBe(true);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^figures-\d{4}-\d\d-\d\d-365-days\.csv$/);
  const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toBe('\uFEFFDay,New people,New ads,Messages,Visits,Sales,Sum of sales,Reports');
  expect(rows).toHaveLength(365);
  for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d(,\d+(\.\d+)?){7}$/);
  expect(problems).toEqual([]);
  await close();
});

test('a seller sees the views of each of their ads by day', async ({ browser }) => {
  const { page, problems, close } = await openAs(browser, { viewer: SELLER });
  await page.goto('/dashboard');
  await expectAlive(page);
  await page.getByRole('button', { name: 'View Analytics' }).click();
  const dialog = page.getByRole('dialog', { name: 'Analytics' });
  await dialog.getByLabel('Ad', { exact: true }).selectOption('Two-seat sofa, dark grey');
  await expect(dialog.getByRole('img', { name: /^Chart of Views by day/ })).toBeVisible();
  await expect.poll(() => isDrawn(page, /^Chart of Views by day/)).toBe(true);
  await dialog.getByRole('button', { name: 'Show as table: Views' }).click();
  await expect(dialog.getByRole('table', { name: /^Views by day/ }).getByRole('row')).toHaveCount(31);
  expect(problems).toEqual([]);
  await close();
});

test('pages without charts do not load the chart library', async ({ browser }) => {
  const { page, close } = await openAs(browser, { viewer: SELLER });
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto('/dashboard');
  await expectAlive(page);
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((url) => url.includes('day-chart'))).toEqual([]);
  await page.getByRole('button', { name: 'View Analytics' }).click();
  await expect(page.getByRole('img', { name: /^Chart of/ })).toBeVisible();
  expect(scripts.some((url) => url.includes('day-chart'))).toBe(true);
  await close();
});

for (const theme of THEMES)
  test(`charts are sound in ${theme} at every width, and follow the theme`, async ({ browser }) => {
    for (const viewer of ['admin', SELLER] as const) {
      const { page, close } = await openAs(browser, { viewer, theme });
      await page.goto(viewer === 'admin' ? '/admin?tab=analytics' : '/dashboard');
      await expectAlive(page);
      if (viewer === SELLER) await page.getByRole('button', { name: 'View Analytics' }).click();
      await expect(page.getByRole('img', { name: /^Chart of/ }).first()).toBeVisible();
      for (const period of ['30 days', '365 days']) {
        await page.getByRole('button', { name: period }).click();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        for (const width of [320, 390, 1280]) {
          const where = `analytics of ${viewer} ${theme} ${width} ${period}`;
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScroll(page, where);
          await expect.poll(() => listBadCharts(page), where).toEqual([]);
          await expectAccessible(page, where);
          await takePicture(page, where.replaceAll(' ', '-'), viewer === 'admin');
        }
      }
      await close();
    }
  });
