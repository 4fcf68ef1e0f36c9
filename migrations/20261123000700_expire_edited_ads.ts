import type { Knex } from 'knex';

/** Expires unsold ads that were edited after their expiry: they left the lists, so the job did not find them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("update ads set state = 'expired' where state = 'active' and not is_sold and expires_at <= now()");
}

export async function down(): Promise<void> {}
