import type { Knex } from 'knex';

/**
 * When a rating became public: when the second one of the deal came, or when the job of the minute saw that the time is
 * over. Reads compare the time themselves. A rating stays public if the other one is deleted later.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table ratings add revealed_at timestamptz;
    create index ratings_hidden on ratings (deal_id) where revealed_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table ratings drop column revealed_at');
}
