import { expect } from '@playwright/test';
import { COLLECTED } from './collector.ts';
import { button, link } from './find.ts';
import { openFirefox } from './firefox.ts';
import type { EngineName } from './installation.ts';
import { arrive, click, see, type Tab, waitUntilAlive } from './tab.ts';
import { openWebKit } from './webkit.ts';

export const HEIGHT = 844;
export const PHONE = 390;
export const DESKTOP = 1280;

const OPEN: Record<EngineName, () => Promise<Tab>> = { firefox: openFirefox, webkit: openWebKit };

const opened: Tab[] = [];

export const openTab = async (engine: string, width: number): Promise<Tab> => {
  const tab = await OPEN[engine as EngineName]();
  opened.push(tab);
  await tab.resize(width, HEIGHT);
  return tab;
};

/** Ends the browsers of this process. */
export const closeTabs = async (): Promise<void> => {
  for (const tab of opened.splice(0)) await tab.close();
};

/** Opens a path of the marketplace and waits until the page is hydrated. */
export const visit = async (tab: Tab, path: string): Promise<void> => {
  await tab.open(new URL(path, process.env.E2E_ADDRESS).href);
  await waitUntilAlive(tab);
};

/** Signs a person in through the X simulator. */
export const signIn = async (tab: Tab, username: string, width: number): Promise<void> => {
  await visit(tab, '/');
  if (width === PHONE) await click(tab, button('Menu'));
  await click(tab, button('Sign In'));
  await click(tab, button('Continue with X'));
  await click(tab, button(new RegExp(`@${username}`)));
  await click(tab, button('Authorize app'));
  await arrive(tab, '/');
  await waitUntilAlive(tab);
  if (width !== PHONE) await see(tab, link(/^Messages/));
};

/** Expects that no page of this tab had an error. */
export const expectNoProblems = async (tab: Tab): Promise<void> => {
  const problems = await tab.run((key) => {
    const collected = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[];
    sessionStorage.removeItem(key);
    return collected;
  }, COLLECTED);
  expect(problems).toEqual([]);
};
