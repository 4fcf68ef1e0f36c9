import type { Knex } from 'knex';

const KINDS = `('message', 'ad_approved', 'ad_rejected', 'ad_held', 'ad_expiring', 'ad_expired', 'price_drop',
        'search_match', 'seller_new_ad', 'report_outcome', 'decision', 'notice')`;

/** What a person chose about a kind of notification and a channel. Without a row, the default of the contract applies. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notification_settings (
      user_id bigint not null references users,
      kind text not null check (kind in ${KINDS}),
      channel text not null check (channel in ('email', 'push')),
      is_on boolean not null,
      primary key (user_id, kind, channel)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table notification_settings');
}
