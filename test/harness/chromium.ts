import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** For a machine without a display, a GPU or a way to Google: Chromium otherwise asks for all three. */
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

const inPath = (): string[] =>
  (process.env.PATH ?? '').split(delimiter).flatMap((directory) => NAMES.map((name) => join(directory, name)));

// A browser that lacks its system libraries is there, but does not even say its version.
const works = (path: string): boolean => existsSync(path) && spawnSync(path, ['--version']).status === 0;

/** The browser's own name and version, such as "Chromium 156.0.8078.73". */
export const readVersion = (path: string): string => spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim();

/** Chromium's path: PLAYWRIGHT_CHROMIUM, else the machine's, else Playwright's own; undefined where there is none that runs. */
export const findChromium = (): string | undefined =>
  [process.env.PLAYWRIGHT_CHROMIUM ?? '', ...inPath(), chromium.executablePath()].find(works);

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

/** Finds Chromium, or installs it: Playwright's own, else, as root, Debian's package. */
export const ensureChromium = (): { path: string; problem?: undefined } | { path?: undefined; problem: string } => {
  let path = findChromium();
  for (const command of installations()) {
    if (path) break;
    run(command);
    path = findChromium();
  }
  return path ? { path } : { problem: 'no Chromium here and none could be installed; set PLAYWRIGHT_CHROMIUM to one' };
};
