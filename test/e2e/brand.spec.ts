import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { findFreePort } from '../../local/ports.ts';
import { spawnServer, stopServer, waitUntilReady } from '../../local/server-process.ts';
import { createUser } from './content.ts';
import { receiveMail } from './mailbox.ts';
import { openAs } from './viewers.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A second server on the database of the marketplace. */
const startReplica = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-replica-'));
  const port = await findFreePort('127.0.0.1', 0);
  const address = `http://localhost:${port}`;
  const env = { ...JSON.parse(process.env.E2E_SERVER_ENV ?? ''), PORT: String(port), PUBLIC_URL: address };
  const logFile = join(directory, 'server.log');
  const server = spawnServer({ root: ROOT, env: { ...env, CACHE_DIR: join(directory, 'cache') }, logFile });
  await waitUntilReady(server, address);
  const stop = async () => {
    await stopServer(server);
    await rm(directory, { recursive: true, force: true });
  };
  return { address, stop };
};

const GREEN = '#1b7f3b';
const BLUE = '#1f3fbf';
const makePng = (colour: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: colour } })
    .png()
    .toBuffer();
const makeSvg = (colour: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${colour}"/></svg>`,
  );

const toHex = (bytes: Uint8Array): string => `#${Buffer.from(bytes.subarray(0, 3)).toString('hex')}`;

/** The colour in the middle of an image. JPEG changes it a little. */
const readMiddle = async (bytes: Uint8Array): Promise<string> => {
  const { width, height } = await sharp(bytes).metadata();
  const at = { left: Math.floor(width / 2), top: Math.floor(height / 2), width: 1, height: 1 };
  return toHex(await sharp(bytes).extract(at).removeAlpha().raw().toBuffer());
};

const fetchBytes = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());
const pick = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

/** What a visitor, a feed reader and a link preview see of the brand at one server. */
const readBrand = async (address: string, language = 'en') => {
  const html = await (await fetch(address, { headers: { 'Accept-Language': language } })).text();
  const manifest = await (await fetch(`${address}/manifest.webmanifest?language=${language}`)).json();
  const [favicon, touch, card] = await Promise.all([
    fetchBytes(`${address}/favicon.ico`),
    fetchBytes(address + pick(html, /rel="apple-touch-icon" href="([^"]+)"/)),
    fetchBytes(address + new URL(pick(html, /property="og:image" content="([^"]+)"/)).pathname),
  ]);
  return {
    title: pick(html, /<title>([^<]*)</),
    headline: pick(html, /<h1[^>]*>([^<]*)</),
    name: manifest.name,
    shortName: manifest.short_name,
    themeColour: manifest.theme_color,
    tagline: manifest.description,
    // after the 22 bytes of its list
    favicon: await readMiddle(favicon.subarray(22)),
    touchIcon: await readMiddle(touch),
    card: await readMiddle(card),
  };
};

const toast = (page: Page, text: string) => page.locator('[data-slot=toast]').filter({ hasText: text });

test('name, logo, colour and words change without a restart, on every server, after a preview; and come back', async ({
  browser,
}, testInfo) => {
  const replica = await startReplica();
  const addresses = [process.env.E2E_ADDRESS ?? '', replica.address];
  const readAll = () => Promise.all(addresses.map((address) => readBrand(address)));
  const before = await readAll();
  const { page, problems, close } = await openAs(browser, { viewer: 'admin' });
  /** Saves, and returns how many milliseconds after the click both servers show it. */
  const save = async (expected: object): Promise<number> => {
    const begun = performance.now();
    await page.getByRole('button', { name: 'Save Brand' }).click();
    await expect.poll(readAll, { intervals: [50] }).toMatchObject([expected, expected]);
    return Math.round(performance.now() - begun);
  };
  try {
    await page.goto('/admin?tab=brand');
    await page.getByLabel('Name', { exact: true }).fill('Kettle Market');
    await page.getByLabel('Short name', { exact: true }).fill('Kettles');
    await page.getByLabel('Headline', { exact: true }).fill('Kettles for everyone');
    await page.getByLabel('Tagline', { exact: true }).fill('Old ones and new ones.');
    await page.getByLabel('Footer line', { exact: true }).fill('Boils since 1907.');
    await page
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await makePng(GREEN) });
    await page.getByLabel('Accent colour', { exact: true }).fill('#ffee00');
    await expect(page.getByText('This colour has too little contrast on light backgrounds.')).toContainText(
      /Buttons and links use #[0-9a-f]{6} instead\./,
    );
    for (const name of ['Light', 'Dark']) {
      const preview = page.getByRole('region', { name, exact: true });
      for (const words of ['Kettle Market', 'Kettles for everyone', 'Old ones and new ones.', 'Boils since 1907.'])
        await expect(preview.getByText(words)).toBeVisible();
      await expect(preview.locator('img')).toHaveAttribute('src', /^blob:/);
    }
    expect(await readAll(), 'a preview changes nothing').toEqual(before);

    const milliseconds = await save({
      title: 'Browse ads | Kettle Market',
      headline: 'Kettles for everyone',
      name: 'Kettle Market',
      shortName: 'Kettles',
      tagline: 'Old ones and new ones.',
      favicon: GREEN,
      touchIcon: GREEN,
    });
    testInfo.annotations.push({ type: 'both servers show it after', description: `${milliseconds} ms` });
    await expect(toast(page, 'New pages and mails show it.')).toBeVisible();
    for (const { card, themeColour } of await readAll()) {
      expect(card).toMatch(/^#(1[9a-d])(7[d-f]|8[01])(3[9a-d])$/);
      expect(themeColour, 'the corrected colour').not.toBe('#ffee00');
    }

    const { id, username } = await createUser('Mia Mail');
    const address = `${username}@mail.example`;
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Test-User': id };
    await page.request.put('/api/users/me/email', { headers, data: { email: address } });
    const mail = await receiveMail(address, 'Confirm your e-mail address for Kettle Market');
    expect(mail.from).toContain('Kettle Market');
    expect(mail.html).toContain('Kettle Market</a>');

    await page
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: makeSvg(BLUE) });
    await save({ favicon: BLUE, touchIcon: BLUE });

    await page.getByRole('button', { name: 'Reset to Defaults' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
    await expect(toast(page, 'The brand is the default again.')).toBeVisible();
    await expect.poll(readAll).toEqual(before);
    expect(problems).toEqual([]);
  } finally {
    await page.request.delete('/api/admin/brand', { headers: { 'Sec-Fetch-Site': 'same-origin' } });
    await close();
    await replica.stop();
  }
});

test('a page’s text is written in two languages, and each visitor reads theirs', async ({ browser }) => {
  const { page, problems, close } = await openAs(browser, { viewer: 'admin' });
  const readImprint = async (language: string) => {
    const reply = await fetch(`${process.env.E2E_ADDRESS}/imprint`, { headers: { 'Accept-Language': language } });
    return `${reply.status} ${pick(await reply.text(), /<h2[^>]*>([^<]*)</)}`;
  };
  await page.goto('/admin?tab=pages&page=imprint');
  const write = async (language: string, text: string) => {
    await page.getByRole('main').getByLabel('Language', { exact: true }).selectOption({ label: language });
    await page.getByLabel('Text', { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Save Page' }).click();
  };
  await write('English', 'Ann Ample\n\n## Register');
  await expect.poll(() => readImprint('de'), 'no German text yet').toBe('200 Register');
  await write('Deutsch', 'Ann Ample\n\n## Handelsregister');
  await expect.poll(() => readImprint('de')).toBe('200 Handelsregister');
  expect(await readImprint('en')).toBe('200 Register');
  for (const language of ['Deutsch', 'English']) {
    await page.getByRole('main').getByLabel('Language', { exact: true }).selectOption({ label: language });
    await page.getByRole('button', { name: /^Remove the Imprint|^Back to/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
  }
  await expect.poll(() => readImprint('de')).toMatch(/^404/);
  expect(problems).toEqual([]);
  await close();
});
