import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './audit.ts';
import { takePicture } from './pictures.ts';

export const setTheme = async (page: Page, theme: 'light' | 'dark'): Promise<void> => {
  await page.evaluate((value) => {
    localStorage.setItem('theme', value);
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
  }, theme);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.classList.contains('dark')))
    .toBe(theme === 'dark');
  // Colors change within a frame, as inherited transitions of no duration.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
};

const WIDTHS = [320, 390, 1280];

/** Checks what is on screen in both themes at each width, and returns to the first size. */
export const inspect = async (page: Page, name: string, ...without: string[]): Promise<void> => {
  const size = page.viewportSize() ?? { width: 390, height: 844 };
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: size.height });
      await expectNoSidewaysScroll(page, `${name} ${theme} ${width}`);
      await expectAccessible(page, `${name} ${theme} ${width}`, ...without);
      await takePicture(page, `${name}-${width}-${theme}`, false);
    }
  }
  await setTheme(page, 'light');
  await page.setViewportSize(size);
};
