import { type Browser, expect } from '@playwright/test';
import { PASSWORD } from '../harness/factories.ts';
import { watchConsole, watchPolicy } from './audit.ts';
import { BUYER, createAdmin, SELLER } from './content.ts';

/** Who looks: nobody signed in, one of the sample people, or an administrator. */
export type Viewer = 'nobody' | typeof SELLER | typeof BUYER | 'admin';

export const THEMES = ['light', 'dark'] as const;
export const HEIGHT = 900;

interface Look {
  viewer?: Viewer | undefined;
  theme?: (typeof THEMES)[number];
  /** The address leads to nothing on purpose. */
  isMissing?: boolean | undefined;
  width?: number;
}

/** A page as this viewer has it, in this theme, with everything that could go wrong being watched. */
export const openAs = async (browser: Browser, { viewer, theme = 'light', isMissing, width = 1280 }: Look) => {
  // Less motion, so that nothing is caught half faded in; a test of its own has motion on.
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width, height: HEIGHT } });
  await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
  if (viewer === 'admin') {
    const data = { username: await createAdmin(), password: PASSWORD };
    const reply = await context.request.post('/api/auth/admin', { data });
    expect(reply.status()).toBe(200);
  } else if (viewer === SELLER || viewer === BUYER) {
    await context.addInitScript((id) => localStorage.setItem('testUser', id), viewer);
  }
  const page = await context.newPage();
  await watchPolicy(page);
  return { page, problems: watchConsole(page, isMissing), close: () => context.close() };
};
