import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** For machines without a display, a GPU or access to Google, which Chromium otherwise requires. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium without its windows: the same engine, at two thirds of the processor time. It has no push notifications. */
const SHELL = 'chromium-headless-shell';

const inPath = (...names: string[]): string[] =>
  (process.env.PATH ?? '').split(delimiter).flatMap((directory) => names.map((name) => join(directory, name)));

// A browser that lacks system libraries exists but fails to print its version.
const works = (path: string): boolean => existsSync(path) && spawnSync(path, ['--version']).status === 0;

/** The browser's own name and version, such as "Chromium 156.0.8078.73". */
export const readVersion = (path: string): string => spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim();

/** Finds Chromium in PLAYWRIGHT_CHROMIUM, PATH or Playwright's cache. Undefined if none of them runs. */
export const findChromium = (): string | undefined =>
  [process.env.PLAYWRIGHT_CHROMIUM ?? '', ...inPath(...NAMES), chromium.executablePath()].find(works);

/** Finds the browser of the journeys: PLAYWRIGHT_CHROMIUM, else the shell in PATH, else any Chromium. */
export const findJourneyBrowser = (): string | undefined =>
  [process.env.PLAYWRIGHT_CHROMIUM ?? '', ...inPath(SHELL)].find(works) ?? findChromium();

const run = (command: string): void => {
  console.log(`$ ${command}`);
  spawnSync(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] });
};

const PLAYWRIGHT = join(import.meta.dirname, '../../node_modules/.bin/playwright');

const installations = (): string[] => [
  `'${PLAYWRIGHT}' install chromium`,
  ...(process.getuid?.() === 0
    ? ['apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null']
    : []),
];

/** Finds Chromium or installs it: Playwright's build, or as root Debian's package. */
export const ensureChromium = (): { path: string; problem?: undefined } | { path?: undefined; problem: string } => {
  let path = findChromium();
  for (const command of installations()) {
    if (path) break;
    run(command);
    path = findChromium();
  }
  return path ? { path } : { problem: 'no Chromium here and none could be installed; set PLAYWRIGHT_CHROMIUM to one' };
};

/** Finds the browser of the journeys as `ensureChromium` does Chromium, and as root on Debian installs the shell. */
export const ensureJourneyBrowser = (): ReturnType<typeof ensureChromium> => {
  const chromium = ensureChromium();
  if (!chromium.path || process.env.PLAYWRIGHT_CHROMIUM) return chromium;
  if (!inPath(SHELL).some(works) && process.getuid?.() === 0)
    run(`apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ${SHELL} >/dev/null`);
  return { path: findJourneyBrowser() ?? chromium.path };
};
