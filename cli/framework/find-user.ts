import type { Db } from '../../server/db/pools.ts';
import type { UserRow } from '../../server/db/rows.ts';
import { CliError, EXIT } from './errors.ts';
import { isId } from './row-id.ts';

/** The user that an operator means: an id, or @handle. Exit code 5 when there is none. */
export async function getUser(db: Db, idOrHandle: string): Promise<UserRow> {
  const { findUser, findUserByHandle } = await import('../../server/features/users/repository.ts');
  const user = isId(idOrHandle)
    ? await findUser(db, idOrHandle)
    : await findUserByHandle(db, idOrHandle.replace(/^@/, ''));
  if (!user) throw new CliError(EXIT.notFound, `There is no user ${idOrHandle}.`);
  return user;
}
