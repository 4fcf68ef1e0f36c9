import type { Knex } from 'knex';

/**
 * Which ads' sellers were asked whether the ad is still available: once per ad and expiry date. Ordered like the index
 * ads_expiring: the job of every minute then reads both once, side by side.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table expiry_questions (
      ad_id bigint not null references ads on delete cascade,
      expires_at timestamptz not null,
      asked_at timestamptz not null default now(),
      primary key (expires_at, ad_id)
    );
    create index expiry_questions_ad on expiry_questions (ad_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table expiry_questions');
}
