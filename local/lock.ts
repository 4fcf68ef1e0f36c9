import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The process that uses a DATA_DIR. */
export interface Holder {
  pid: number;
  /** 'start' keeps PostgreSQL running until it is stopped, 'marketctl' for the duration of one command. */
  kind: 'start' | 'marketctl';
  databaseUrl?: string;
  /** What else of its environment `marketctl` needs, to send what the server would send. */
  env?: NodeJS.ProcessEnv;
}

export interface Lock {
  share: (shared: Pick<Holder, 'databaseUrl' | 'env'>) => void;
  release: () => void;
}

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
 * Locks `dataDir` until `release` or the end of this process, including kill -9. Node has no flock, so this uses
 * SQLite's file lock: the kernel releases it, so a lock is never stale. Throws DataDirInUse.
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
  // Readable only by its owner, because a connection string can contain a password.
  const announce = (more: Partial<Holder> = {}): void =>
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid, kind, ...more } satisfies Holder), { mode: 0o600 });
  announce();
  return { share: announce, release: () => file.close() };
};
