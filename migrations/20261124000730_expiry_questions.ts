import type { Knex } from 'knex';

/** Which ads' sellers were asked whether the ad is still available: once per ad and expiry date. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table expiry_questions (
      ad_id bigint not null references ads on delete cascade,
      expires_at timestamptz not null,
      asked_at timestamptz not null default now(),
      primary key (ad_id, expires_at)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table expiry_questions');
}
