import { type Browser, expect } from '@playwright/test';
import { LANGUAGE_COOKIE, type Language } from '../../contract/languages.ts';
import { PASSWORD } from '../harness/factories.ts';
import { watchConsole, watchPolicy } from './audit.ts';
import { BUYER, createAdmin, SELLER } from './content.ts';

export type Viewer = 'nobody' | typeof SELLER | typeof BUYER | 'admin';

export const THEMES = ['light', 'dark'] as const;
export const HEIGHT = 900;

interface Look {
  viewer?: Viewer | undefined;
  theme?: (typeof THEMES)[number];
  isMissing?: boolean | undefined;
  width?: number;
  language?: Language;
}

export const openAs = async (
  browser: Browser,
  { viewer, theme = 'light', isMissing, width = 1280, language }: Look,
) => {
  // Disables transitions, so that screenshots and checks see final states. A separate test covers motion.
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width, height: HEIGHT } });
  await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
  if (viewer === 'admin') {
    const data = { username: await createAdmin(), password: PASSWORD };
    const reply = await context.request.post('/api/auth/admin', { data });
    expect(reply.status()).toBe(200);
  } else if (viewer === SELLER || viewer === BUYER) {
    await context.addInitScript((id) => localStorage.setItem('testUser', id), viewer);
  }
  // After the sign-in, which a cookie without an Origin would make foreign.
  if (language)
    await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url: process.env.E2E_ADDRESS ?? '' }]);
  const page = await context.newPage();
  await watchPolicy(page);
  return { page, problems: watchConsole(page, isMissing), close: () => context.close() };
};
