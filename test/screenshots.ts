/** `make screenshots`: the pictures of README.md, in docs/images, from a marketplace with the sample data. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import sharp from 'sharp';
import startForJourneys from './e2e/global-setup.ts';
import { CHROMIUM_FLAGS, ensureChromium } from './harness/chromium.ts';

const DIRECTORY = join(import.meta.dirname, '../docs/images');
/** A repository keeps each version of a picture for ever. */
const MAX_BYTES = 200_000;

interface Picture {
  name: string;
  theme: 'light' | 'dark';
  viewport: { width: number; height: number };
  pixelRatio: number;
  isMobile: boolean;
  /** A search of the home page; the first ad that it finds is opened. Without one, the home page itself. */
  ad?: string;
}

const PICTURES: Picture[] = [
  {
    name: 'phone-light',
    theme: 'light',
    viewport: { width: 390, height: 844 },
    pixelRatio: 2,
    isMobile: true,
    ad: 'Hatchback',
  },
  { name: 'desktop-dark', theme: 'dark', viewport: { width: 1440, height: 900 }, pixelRatio: 1, isMobile: false },
];

// The network was idle once for the list, and an ad opened from it does not wait for it again.
const ARE_PHOTOS_THERE = `[...document.images].every(
  (photo) => photo.getBoundingClientRect().top > innerHeight || (photo.complete && photo.naturalWidth > 0),
)`;

async function take(browser: Browser, { name, theme, viewport, pixelRatio, isMobile, ad }: Picture): Promise<void> {
  const context = await browser.newContext({
    baseURL: process.env.E2E_ADDRESS!,
    viewport,
    deviceScaleFactor: pixelRatio,
    isMobile,
    hasTouch: isMobile,
    reducedMotion: 'reduce',
  });
  await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
  const page = await context.newPage();
  await page.goto(ad ? `/?search=${encodeURIComponent(ad)}` : '/', { waitUntil: 'networkidle' });
  if (ad) {
    await page
      .getByRole('link', { name: new RegExp(ad) })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: new RegExp(ad) }).waitFor();
    await page.waitForLoadState('networkidle');
  }
  await page.getByLabel('Development Mode').evaluate((panel) => {
    panel.hidden = true;
  });
  await page.waitForFunction(ARE_PHOTOS_THERE);
  const image = await sharp(await page.screenshot())
    .webp({ quality: 85 })
    .toBuffer();
  if (image.length > MAX_BYTES) throw new Error(`${name} has ${image.length} bytes, more than ${MAX_BYTES}`);
  writeFileSync(join(DIRECTORY, `${name}.webp`), image);
  console.log(`docs/images/${name}.webp: ${Math.round(image.length / 1000)} kB`);
  await context.close();
}

const { path, problem } = ensureChromium();
if (!path) throw new Error(problem);
mkdirSync(DIRECTORY, { recursive: true });
const stop = await startForJourneys();
try {
  const browser = await chromium.launch({ executablePath: path, args: CHROMIUM_FLAGS });
  for (const picture of PICTURES) await take(browser, picture);
  await browser.close();
} finally {
  await stop();
}
process.exit(0);
