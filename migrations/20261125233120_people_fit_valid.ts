import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table conversations validate constraint conversations_seller;
    alter table deals validate constraint deals_seller, validate constraint deals_buyer;
    alter table reservations validate constraint reservations_writer;
    alter table offers validate constraint offers_conversation;
  `);
}

export async function down(): Promise<void> {}
