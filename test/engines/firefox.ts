import puppeteer, { type ElementHandle } from 'puppeteer-core';
import { findElement } from './find.ts';
import { findFirefox } from './installation.ts';
import type { Tab } from './tab.ts';

/** Opens a Firefox of its own, which is controlled over WebDriver BiDi. */
export const openFirefox = async (): Promise<Tab> => {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error('No Firefox is installed');
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  const [page = await browser.newPage()] = await browser.pages();
  return {
    async open(address) {
      await page.goto(address);
    },
    run: (work, ...args) => page.evaluate(work as never, ...args) as never,
    async find(finding) {
      const found = await page.evaluateHandle(findElement, finding);
      const element = found.asElement() as ElementHandle<HTMLInputElement> | null;
      if (!element) return undefined;
      return {
        click: () => element.click(),
        type: (text) => element.type(text),
        upload: (files) => element.uploadFile(...files),
      };
    },
    resize: (width, height) => page.setViewport({ width, height }),
    takePicture: () => page.screenshot(),
    close: () => browser.close(),
  };
};
