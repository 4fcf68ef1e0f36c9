import type pg from 'pg';
import { SESSION_SETTINGS } from './pools.ts';

/**
 * Makes our session settings the role's defaults in this database. A transaction pooler drops the settings that a
 * connection starts with, and SET would reach somebody else's session. `client` must be a direct connection.
 */
export async function setRoleDefaults(client: pg.Client): Promise<void> {
  for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
    const { rows } = await client.query<{ sql: string }>(
      "select format('alter role current_user in database %I set %I = %L', current_database(), $1::text, $2::text) as sql",
      [name, String(value)],
    );
    await client.query(rows[0]?.sql ?? '');
  }
}
