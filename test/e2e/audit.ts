import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type ConsoleMessage, expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const AXE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** WCAG 2.5.3, which axe counts as experimental: a name contains the text that is visible. */
const VISIBLE_NAMES = { 'label-content-name-mismatch': { enabled: true } };

/** Chromium reports when a network interface, such as a container's, appears or disappears. */
export const isOfTheMachine = (message: ConsoleMessage): boolean => message.text().includes('ERR_NETWORK_CHANGED');

export const watchConsole = (page: Page, isMissing = false): string[] => {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (isOfTheMachine(message)) return;
    const isStatusLine = isMissing && message.text().includes('status of 404');
    if (message.type() === 'error' && !isStatusLine) problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return problems;
};

export const watchPolicy = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener('securitypolicyviolation', (event) =>
      refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    );
  });
};

export const expectNothingRefused = async (page: Page, where: string): Promise<void> => {
  const refused = await page.evaluate(() => (window as unknown as { refused?: string[] }).refused ?? []);
  expect(refused, `refused by the content security policy: ${where}`).toEqual([]);
};

/** Returns one line per violation. The lines are built in the page, because transferring axe's full result is slow. */
const findViolations = (page: Page, options: RunOptions): Promise<string[] | undefined> =>
  page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe?: { run: (o: unknown) => Promise<AxeResults> } };
      // Colors count where they end, not on their way there; a transition that has not begun yet must not begin either.
      const sheet = new CSSStyleSheet();
      // A dialog that fades in has other colours meanwhile; what turns for ever cannot be finished.
      for (const animation of document.getAnimations())
        if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
      // What was just tapped is paler for a moment.
      // What lies under the bar of a phone, or under the one at the top, counts as it is when scrolled out from under it.
      sheet.replaceSync(`
        *, ::before, ::after { transition: none !important }
        :active { opacity: 1 !important }
        [data-slot=tab-bar] { position: static !important }
        body header.sticky { position: relative !important }
      `);
      document.adoptedStyleSheets.push(sheet);
      const found = await axe?.run(options);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      return found?.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
      );
    },
    options as unknown as Record<string, unknown>,
  );

/** Expects no violation of WCAG 2.2 AA or best practices that axe can detect, except for the given rules. */
export const expectAccessible = async (page: Page, where: string, ...without: string[]): Promise<void> => {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = { ...AXE, rules: { ...VISIBLE_NAMES, ...rules } };
  let found = await findViolations(page, options);
  if (!found) {
    await page.evaluate(axeSource);
    found = await findViolations(page, options);
  }
  expect(found, `accessibility of ${where}`).toEqual([]);
};

/** Runs in the page: the outermost elements that reach beyond its left or right edge, if it scrolls sideways. */
export const findSidewaysScroll = (): string[] => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const reaching = [...document.body.querySelectorAll('*')].filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < -1 || right > clientWidth + 1;
  });
  return [
    `by ${scrollWidth - clientWidth} px`,
    ...reaching.slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 150)),
  ];
};

/** A page that was just resized may need a moment until it has its layout. */
export const expectNoSidewaysScroll = (page: Page, where: string): Promise<void> =>
  expect.poll(() => page.evaluate(findSidewaysScroll), `sideways scroll of ${where}`).toEqual([]);
