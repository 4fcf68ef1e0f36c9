import type { App } from '../server/app.ts';
import type { UserRow } from '../server/db/tables.ts';

let serial = 0;
/** A number that no other row of this test process has. */
export const nextSerial = (): number => ++serial;

/** A person in good standing; any column can be given. */
export async function insertUser({ db }: Pick<App, 'db'>, columns: Partial<UserRow> = {}): Promise<UserRow> {
  const n = nextSerial();
  const row = { x_id: String(7_000_000 + n), username: `person_${n}`, display_name: `Person ${n}`, ...columns };
  const [user] = await db('users').insert(row).returning<UserRow[]>('*');
  return user as UserRow;
}
