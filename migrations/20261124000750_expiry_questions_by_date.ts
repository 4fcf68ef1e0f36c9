import type { Knex } from 'knex';

/** Orders the questions like the index ads_expiring: the job of every minute then reads both once, side by side. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table expiry_questions drop constraint expiry_questions_pkey, add primary key (expires_at, ad_id);
    create index expiry_questions_ad on expiry_questions (ad_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index expiry_questions_ad;
    alter table expiry_questions drop constraint expiry_questions_pkey, add primary key (ad_id, expires_at);
  `);
}
