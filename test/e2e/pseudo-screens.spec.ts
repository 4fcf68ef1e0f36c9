import { expect, test } from '@playwright/test';
import { findSidewaysScroll } from './audit.ts';
import { findCutTexts } from './cut.ts';
import { sayPseudo } from './pseudo.ts';
import { prepareScreens, type ScreenNames, showScreen } from './screen-data.ts';
import { SCREENS } from './screens.ts';
import { findUntranslated, WRITTEN } from './untranslated.ts';
import { HEIGHT, openAs } from './viewers.ts';

const [PHONE, DESK] = [320, 1280];

let names: ScreenNames;

test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
});

const VIEWERS = [...new Set(SCREENS.map(({ viewer = 'nobody' }) => viewer))];

for (const language of ['en-XA', 'ar-XB'] as const)
  for (const viewer of VIEWERS)
    test(`every screen of ${viewer} speaks ${language} and fits into a small phone`, async ({ browser }) => {
      const { page, problems, close } = await openAs(browser, { viewer, language, isMissing: true });
      for (const screen of SCREENS.filter((one) => (one.viewer ?? 'nobody') === viewer))
        await test.step(screen.name, async () => {
          // What opens was opened at a desk, as in screens.spec.ts.
          await page.setViewportSize({ width: screen.open ? DESK : PHONE, height: HEIGHT });
          await showScreen(page, screen, names, sayPseudo);
          if (screen.open) await page.setViewportSize({ width: PHONE, height: HEIGHT });
          const direction = await page.evaluate(() => getComputedStyle(document.documentElement).direction);
          expect.soft(direction, screen.name).toBe(language === 'ar-XB' ? 'rtl' : 'ltr');
          if (language === 'en-XA')
            expect.soft(await page.evaluate(findUntranslated, WRITTEN), `in no catalog: ${screen.name}`).toEqual([]);
          const find = async () => [
            ...(await page.evaluate(findSidewaysScroll)),
            ...(await page.evaluate(findCutTexts, WRITTEN)),
          ];
          await expect.soft.poll(find, `cut off: ${screen.name}`).toEqual([]);
          expect.soft(problems.splice(0), screen.name).toEqual([]);
        });
      await close();
    });

test('what is in no catalog, cut off or wider than the phone is found', async ({ page }) => {
  await page.setViewportSize({ width: PHONE, height: HEIGHT });
  await page.setContent(`
    <button style="width: 60px; height: 20px; overflow: hidden; white-space: nowrap">[Šígñ íñ with X~~~~]</button>
    <p style="text-overflow: ellipsis; overflow: hidden; white-space: nowrap; width: 90px">[Réád thé ${'whole '.repeat(9)}~]</p>
    <p style="text-overflow: ellipsis; overflow: hidden; white-space: nowrap; width: 90px"><bdi>A ${'very '.repeat(9)}long ad</bdi></p>
    <div style="height: 10px; overflow: clip">[Twó línéš~]<br>[óf téxt~]</div>
    <input placeholder="Your name" aria-label="[Námé~]"><img alt="Picture of a bicycle" src="data:,">
    <bdi>Sally Seller</bdi><span title="Sally Seller">Save</span>
    <p style="width: 400px">[${'Wídé '.repeat(20)}~]</p>`);
  expect((await page.evaluate(findUntranslated, WRITTEN)).sort()).toEqual([
    'Picture of a bicycle',
    'Save',
    'Your name',
  ]);
  const cut = (await page.evaluate(findCutTexts, WRITTEN)).map((problem) => problem.replace(/^“(.{9}).*” /, '$1 '));
  expect(cut).toEqual([
    '[Šígñ íñ  is cut at a side',
    '[Šígñ íñ  reaches out of its button',
    '[Réád thé is cut at a side',
    '[Réád thé reaches out of the window',
    '[Twó líné is cut above or below',
    '[óf téxt~ is cut above or below',
    '[Wídé Wíd reaches out of the window',
  ]);
  expect((await page.evaluate(findSidewaysScroll))[0]).toBe('by 88 px');
});
