import type { Knex } from 'knex';

const CHECKS = {
  ads: ['ads_price_check', 'ads_free_price'],
  ad_prices: ['ad_prices_price_check'],
  price_drops: ['price_drops_old_price_check', 'price_drops_check', 'price_drops_check1'],
  offers: ['offers_amount_check'],
  daily_figures: ['daily_figures_value_check'],
};

export async function up(knex: Knex): Promise<void> {
  for (const [table, names] of Object.entries(CHECKS))
    for (const name of names) await knex.raw(`alter table ${table} validate constraint ${name}`);
}

export async function down(): Promise<void> {}
