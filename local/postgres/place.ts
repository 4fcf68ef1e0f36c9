import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Account, canReach, findAccount } from './account.ts';
import { type Binaries, copyBinaries, findBinaries } from './binaries.ts';
import { chownTo } from './chown.ts';

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
