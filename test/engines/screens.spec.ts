import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findSidewaysScroll } from '../e2e/audit.ts';
import { createAdmin } from '../e2e/content.ts';
import { addressOf } from '../e2e/screen-data.ts';
import { SCREENS } from '../e2e/screens.ts';
import type { Viewer } from '../e2e/viewers.ts';
import { PASSWORD } from '../harness/factories.ts';
import { text } from './find.ts';
import { closeTabs, DESKTOP, expectNoProblems, HEIGHT, openTab, PHONE, visit } from './people.ts';
import { see, type Tab } from './tab.ts';

const PICTURES = join(import.meta.dirname, '../screenshots/engines');
// What dialogs and menus show is opened by Playwright, in Chromium.
const PAGES = SCREENS.filter(({ open }) => !open).toSorted((a, b) => (a.viewer ?? '').localeCompare(b.viewer ?? ''));
const LOOKS = process.env.CI
  ? ([['light', PHONE]] as const)
  : (['light', 'dark'] as const).flatMap((theme) => [PHONE, DESKTOP].map((width) => [theme, width] as const));

let opened: { tab: Tab; viewer: Viewer } | undefined;

test.afterAll(closeTabs);

/** Returns the tab of this viewer. Closes that of another. */
const openAs = async (engine: string, viewer: Viewer): Promise<Tab> => {
  if (opened?.viewer === viewer) return opened.tab;
  await closeTabs();
  const tab = await openTab(engine, PHONE);
  opened = { tab, viewer };
  await visit(tab, '/');
  if (viewer === 'admin') {
    const credentials = { username: await createAdmin(), password: PASSWORD };
    const status = await tab.run(async (body) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
      return (await fetch('/api/auth/admin', init)).status;
    }, credentials);
    expect(status).toBe(200);
  } else if (viewer !== 'nobody') await tab.run((id) => localStorage.setItem('testUser', id), viewer);
  return tab;
};

for (const screen of PAGES)
  test(`${screen.name} renders`, async ({ browserName: _ }, info) => {
    const engine = info.project.name;
    const names = new Map<string, string>(JSON.parse(process.env.E2E_SCREEN_NAMES ?? '[]'));
    const tab = await openAs(engine, screen.viewer ?? 'nobody');
    for (const [theme, width] of LOOKS) {
      const where = `${screen.name} ${theme} ${width}`;
      await tab.resize(width, HEIGHT);
      await tab.run((value) => localStorage.setItem('theme', value), theme);
      await visit(tab, addressOf(screen, names));
      await see(tab, text(screen.shows));
      await see(tab, { css: 'h1, h2', name: /\S/ });
      expect(await tab.run(findSidewaysScroll), `sideways scroll of ${where}`).toEqual([]);
      if (process.env.CI) continue;
      mkdirSync(PICTURES, { recursive: true });
      writeFileSync(join(PICTURES, `${screen.name}-${width}-${theme}-${engine}.png`), await tab.takePicture());
    }
    await expectNoProblems(tab);
  });
