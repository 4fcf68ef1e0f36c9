import type { Knex } from 'knex';

/** True while a job hides, restores or deletes the ads of a user who was banned, unbanned or deleted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users add column ads_pending boolean not null default false;
    create index users_ads_pending on users (id) where ads_pending;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column ads_pending');
}
