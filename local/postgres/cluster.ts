import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chownTo } from './chown.ts';
import type { Place } from './place.ts';

const run = promisify(execFile);

const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

const assertSameMajor = ({ directory, binaries }: Place): void => {
  const made = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  const ours = binaries.version.split('.')[0];
  if (made !== ours)
    throw new Error(
      `${directory} was made by PostgreSQL ${made}, but this checkout brings ${ours}. Back up with the older checkout and ` +
        'restore here, or choose another DATA_DIR.',
    );
};

/** What PostgreSQL, which runs as another user and anywhere, should know of our environment. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: LOCALE, TZ: 'UTC' });

// ICU's root collation sorts as people expect, and the same on every machine, whatever locales that has.
const initdbArguments = (directory: string, durable: boolean): string[] => [
  `--pgdata=${directory}`,
  '--username=tradepost',
  // Who may connect is decided by the socket's directory, which only its owner can enter; there is no TCP.
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  `--lc-ctype=${LOCALE}`,
  `--lc-collate=${LOCALE}`,
  '--locale-provider=icu',
  '--icu-locale=und',
  // initdb adds the schema itself; a doubled one fails every parallel worker
  '--text-search-config=english',
  ...(durable ? [] : ['--no-sync']),
];

/** Creates the data directory where there is none. One that was cut short stays beside it and is begun anew. */
export const createCluster = async (place: Place, durable: boolean): Promise<void> => {
  const { directory, account, binaries } = place;
  if (existsSync(join(directory, 'PG_VERSION'))) return assertSameMajor(place);
  const unfinished = `${directory}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  chownTo(account, unfinished);
  await run(binaries.initdb, initdbArguments(unfinished, durable), { ...account, cwd: '/', env: cleanEnvironment() });
  renameSync(unfinished, directory);
};
