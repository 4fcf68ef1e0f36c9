import type { AppContext } from '../../server/app-context.ts';
import { createPasswords } from '../../server/features/auth/password.ts';
import { insertUser, nextSerial } from './factories.ts';

export const PASSWORD = 'correct horse battery';

/** An administrator with a password (PASSWORD) and a login name. */
export async function insertAdmin(app: Pick<AppContext, 'db'>): Promise<{ id: string; login: string }> {
  const user = await insertUser(app, { role: 'admin' });
  const login = `Admin-${nextSerial()}`;
  const password_hash = await createPasswords().hash(PASSWORD);
  await app.db('admin_credentials').insert({ user_id: user.id, login, password_hash });
  return { id: user.id, login };
}
