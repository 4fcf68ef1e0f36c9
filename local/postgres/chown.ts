import { chownSync } from 'node:fs';
import type { Account } from './account.ts';

export const chownTo = (account: Account | undefined, path: string): void => {
  if (account) chownSync(path, account.uid, account.gid);
};
