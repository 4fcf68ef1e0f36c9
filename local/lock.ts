import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The process that uses a DATA_DIR. */
export interface Holder {
  pid: number;
  /** 'start' keeps PostgreSQL running until it is stopped, 'marketctl' for the duration of a command. */
  kind: 'start' | 'marketctl';
  /** Set by a holder that shares its database, once the database is up. */
  databaseUrl?: string;
}

export interface Lock {
  /** Lets marketctl use the holder's database. */
  shareDatabase: (url: string) => void;
  release: () => void;
}

/** DATA_DIR is in use. */
export class DataDirInUse extends Error {
  readonly holder: Holder | undefined;
  constructor(dataDir: string, holder: Holder | undefined) {
    const who = holder ? ` (${holder.kind}, pid ${holder.pid})` : '';
    super(`${dataDir} is in use by another Tradepost${who}. Stop that one, or choose another DATA_DIR.`);
    this.holder = holder;
  }
}

const readHolder = (path: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
};

/**
 * Locks `dataDir` for this process until `release` or the end of the process, also after kill -9. Node has no flock; SQLite
 * locks a file in the kernel, so a lock is never stale. Throws DataDirInUse.
 */
export const lockDataDir = (dataDir: string, kind: Holder['kind']): Lock => {
  mkdirSync(dataDir, { recursive: true });
  const holderFile = join(dataDir, 'lock.json');
  const file = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 });
  try {
    file.exec('begin exclusive');
  } catch {
    file.close();
    throw new DataDirInUse(dataDir, readHolder(holderFile));
  }
  // Readable by its owner only: a connection string can contain a password.
  const announce = (more: Partial<Holder> = {}): void =>
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid, kind, ...more } satisfies Holder), { mode: 0o600 });
  announce();
  return { shareDatabase: (databaseUrl) => announce({ databaseUrl }), release: () => file.close() };
};
