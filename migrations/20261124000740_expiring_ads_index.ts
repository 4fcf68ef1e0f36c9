import type { Knex } from 'knex';

export const config = { transaction: false };

/** Ads that expire soon, for the job of every minute: it reads this index and nothing else of the ads that it asked about. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index concurrently if not exists ads_expiring on ads (expires_at, id) include (user_id) where listed and not is_sold',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists ads_expiring');
}
