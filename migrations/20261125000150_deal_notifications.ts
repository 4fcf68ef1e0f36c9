import type { Knex } from 'knex';

const BEFORE = ['message', 'ad_approved', 'ad_rejected', 'ad_held', 'ad_expiring', 'ad_expired', 'price_drop'];
const AFTER = ['search_match', 'seller_new_ad', 'report_outcome', 'decision', 'notice'];
const ADDED = ['offer', 'reservation', 'deal', 'rating'];
const TABLES = ['notifications', 'notification_settings'];

async function setKinds(knex: Knex, kinds: readonly string[]): Promise<void> {
  for (const table of TABLES)
    await knex.raw(`
      alter table ${table} drop constraint ${table}_kind_check;
      alter table ${table} add constraint ${table}_kind_check
        check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}));
    `);
}

/** Notifications about offers, reservations, deals and ratings. */
export async function up(knex: Knex): Promise<void> {
  await setKinds(knex, [...BEFORE, ...ADDED, ...AFTER]);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex(table).whereIn('kind', ADDED).delete();
  await setKinds(knex, [...BEFORE, ...AFTER]);
}
