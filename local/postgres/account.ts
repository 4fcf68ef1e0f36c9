import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

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
