import type { Knex } from 'knex';

export const config = { transaction: false };

/**
 * The active ads of a seller by their number of different trigrams. Two texts with nine of ten trigrams in common have
 * about as many, so that a new ad is compared with few of a seller's thousands.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index concurrently if not exists ads_by_trigrams
     on ads (user_id, cardinality(show_trgm(title || ' ' || description))) where state = 'active'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists ads_by_trigrams');
}
