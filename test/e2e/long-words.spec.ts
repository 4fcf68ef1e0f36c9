import { expect, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { expectNoSidewaysScroll } from './audit.ts';
import { deleteAds, newWord, postAds } from './content.ts';
import { openAs } from './viewers.ts';

const WIDTH = 360;
const LONG = 'donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle';

test('words without an end break, and push nothing off a telephone', async ({ browser, request }) => {
  const word = newWord('rindfleischetikettierungsueberwachung');
  const ids = await postAds(request, 1, word, { description: LONG.repeat(6), location: LONG });
  const { page, problems, close } = await openAs(browser, { viewer: 'admin', width: WIDTH });

  await page.goto(`/ads/${ids[0]}`);
  await expect(page.getByText(LONG, { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page, 'ad');

  await page.goto('/admin?tab=ads');
  await expectAlive(page);
  const last = page.getByRole('button', { name: `Delete ${word} no. 1` });
  await expect(last).toBeVisible();
  const box = await last.boundingBox();
  expect((box?.x ?? WIDTH) + (box?.width ?? 0), 'the right edge of the last action').toBeLessThanOrEqual(WIDTH);

  expect(problems).toEqual([]);
  await deleteAds(request, ids);
  await close();
});
