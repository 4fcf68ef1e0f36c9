import type { Knex } from 'knex';

const BEFORE = ['ad_approved', 'ad_rejected', 'ad_held', 'report_outcome', 'decision', 'notice'];
const ADDED = ['message', 'ad_expiring', 'ad_expired', 'price_drop', 'search_match', 'seller_new_ad'];

const setKinds = (knex: Knex, kinds: readonly string[]): Promise<void> =>
  knex.raw(`
    alter table notifications drop constraint notifications_kind_check;
    alter table notifications add constraint notifications_kind_check
      check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}));
  `);

/** Notifications that bring people back, and whose action causes them: a block between the two suppresses them. */
export async function up(knex: Knex): Promise<void> {
  await setKinds(knex, [...BEFORE, ...ADDED]);
  await knex.raw(`
    alter table notifications add source_user_id bigint references users;
    create index notifications_source on notifications (source_user_id) where source_user_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex('notifications').whereIn('kind', ADDED).delete();
  await knex.raw('alter table notifications drop column source_user_id');
  await setKinds(knex, BEFORE);
}
