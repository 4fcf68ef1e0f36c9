import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { type Browser, type CDPSession, chromium, type Locator, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, ensureJourneyBrowser } from '../harness/chromium.ts';
import { startOwnMarketplace } from '../harness/own-marketplace.ts';
import { type Action, listActions, prepare } from './actions.ts';

// `make inp`: how long a phone whose processor is four times slower takes from a tap or key to the next frame: the time of the
// event's handlers and of the frame after it, as Event Timing gives them. Prints medians. It never fails on a result.
// `--only WORD` takes some actions, `--address URL` a marketplace that runs already, `--runs N` (5).

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, address: { type: 'string' }, runs: { type: 'string', default: '5' } },
});
const SLOWER = 4;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

interface Timed {
  /** Until the frame, without the time in which the event waited for the main thread. */
  total: number;
  handlers: number;
  wait: number;
  what: string;
}

// Other work on the machine then disturbs the browser little. Only root may.
try {
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {}

/** Runs in the page. */
const OBSERVE = `
  globalThis.timed = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, name, startTime, processingStart, processingEnd, duration } of list.getEntries())
      if (interactionId)
        timed.push({
          total: startTime + duration - processingStart,
          handlers: processingEnd - processingStart,
          wait: processingStart - startTime,
          what: name,
        });
  }).observe({ type: 'event', durationThreshold: 16 });`;

const settle = async (page: Page): Promise<void> => {
  await page.locator('#late').waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(300);
};

/** Where to tap. Playwright's own `tap` looks at the page in between, which would be measured. */
const findMiddle = async (target: Locator): Promise<{ x: number; y: number }> => {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to tap');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** As long as a finger touches. */
const TOUCH_MS = 70;

const touch = async (session: CDPSession, point: { x: number; y: number }): Promise<void> => {
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await new Promise((resolve) => setTimeout(resolve, TOUCH_MS));
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
};

/** The slowest interaction of an action. An action without a slow one took less than 16 ms. */
const time = async (browser: Browser, address: string, action: Action): Promise<Timed> => {
  const context = await browser.newContext({ ...PHONE, baseURL: address, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    if (action.viewer) await page.addInitScript((id) => localStorage.setItem('testUser', id), action.viewer);
    await page.goto(action.path);
    await settle(page);
    await action.before?.(page);
    await settle(page);
    const middle = action.taps && (await findMiddle(action.taps(page)));
    await settle(page);
    await page.evaluate(OBSERVE);
    const session: CDPSession = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    if (middle) await touch(session, middle);
    for (const key of action.types ?? []) {
      await page.keyboard.press(key);
      await page.waitForTimeout(150);
    }
    await page.waitForTimeout(700);
    const timed = await page.evaluate<Timed[]>('timed');
    const none = { total: 0, handlers: 0, wait: 0, what: 'none' };
    return timed.toSorted((a, b) => b.total - a.total)[0] ?? none;
  } finally {
    await context.close();
  }
};

const toMedian = (runs: Timed[]) => {
  const sorted = runs.toSorted((a, b) => a.total - b.total);
  const { total = Number.NaN, handlers = Number.NaN, wait = Number.NaN, what } = sorted[sorted.length >> 1] ?? {};
  return {
    ms: Math.round(total),
    handlers: Math.round(handlers),
    wait: Math.round(wait),
    from: Math.round(sorted[0]?.total ?? Number.NaN),
    to: Math.round(sorted.at(-1)?.total ?? Number.NaN),
    what,
  };
};

const measure = async (address: string): Promise<void> => {
  const { path, problem } = ensureJourneyBrowser();
  if (!path) throw new Error(problem);
  const browser = await chromium.launch({ executablePath: path, args: CHROMIUM_FLAGS });
  try {
    const names = await prepare(address);
    const table: Record<string, ReturnType<typeof toMedian>> = {};
    for (const action of listActions(names).filter(({ name }) => name.includes(options.only ?? ''))) {
      const runs: Timed[] = [];
      for (let run = 0; run < Number(options.runs); run++) runs.push(await time(browser, address, action));
      table[action.name] = toMedian(runs);
      console.error(action.name, JSON.stringify(table[action.name]));
    }
    console.table(table);
  } finally {
    await browser.close();
  }
};

const measureOwn = async (): Promise<void> => {
  const marketplace = await startOwnMarketplace({ durable: true, say: (message) => console.error(message) });
  await measure(marketplace.address).finally(marketplace.remove);
};

await (options.address ? measure(options.address) : measureOwn());
