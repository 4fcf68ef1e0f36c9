import type { App } from '../../server/app-context.ts';
import { openPasswords } from '../../server/features/auth/password.ts';
import { insertUser, nextSerial } from './factories.ts';

export const PASSWORD = 'correct horse battery';

/** An administrator with a password (PASSWORD) and a login name. */
export async function insertAdmin(app: Pick<App, 'db'>): Promise<{ id: string; login: string }> {
  const user = await insertUser(app, { role: 'admin' });
  const login = `Admin-${nextSerial()}`;
  const password_hash = await openPasswords().hash(PASSWORD);
  await app.db('admin_credentials').insert({ user_id: user.id, login, password_hash });
  return { id: user.id, login };
}
