import type { Knex } from 'knex';

/**
 * What a notification tells, as parameters of its kind, so that it is read in the language that its receiver speaks by then.
 * Null: rows of before, and what the team wrote. `title` and `body` have the English words, for replicas of the previous release.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table notifications
      add params jsonb,
      add constraint notifications_params_check
        check (jsonb_typeof(params) = 'object' and octet_length(params::text) <= 20000) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table notifications drop column params');
}
