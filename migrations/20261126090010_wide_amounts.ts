import type { Knex } from 'knex';

/** The largest amount of any currency, and the most decimals: of yen there are ten digits, of dinars three decimals. */
const MOST = '9999999999.999';
const isAmount = (column: string) => `scale(${column}) <= 3 and ${column} <= ${MOST}`;

const COLUMNS = [
  { table: 'ads', column: 'price', check: 'ads_price_check', least: 'price >= 0' },
  { table: 'ad_prices', column: 'price', check: 'ad_prices_price_check', least: 'price >= 0' },
  { table: 'price_drops', column: 'old_price', check: 'price_drops_old_price_check', least: 'old_price > 0' },
  { table: 'offers', column: 'amount', check: 'offers_amount_check', least: 'amount > 0' },
];

/** A view cannot stay while the type of its column changes. */
const withoutView = (change: string): string => `
  do $$
  declare
    definition text := pg_get_viewdef('ads_to_list');
  begin
    drop view ads_to_list;
    ${change}
    execute 'create view ads_to_list as ' || definition;
  end $$;
`;

/**
 * Amounts of every currency. No row is written and no index is built: a type without limits is the same on disk. The checks are
 * dropped first, because PostgreSQL would read the table for them, and the new ones are validated by a later migration.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table ads drop constraint ads_free_price');
  await knex.raw('alter table price_drops drop constraint price_drops_check, drop constraint price_drops_check1');
  for (const { table, column, check, least } of COLUMNS) {
    await knex.raw(`alter table ${table} drop constraint ${check}`);
    const change = `alter table ${table} alter column ${column} type numeric;`;
    await knex.raw(table === 'ads' ? withoutView(change) : change);
    await knex.raw(`alter table ${table} add constraint ${check} check (${least} and ${isAmount(column)}) not valid`);
  }
  await knex.raw("alter table ads add constraint ads_free_price check (price_type <> 'free' or price = 0) not valid");
  await knex.raw(`
    alter table price_drops add constraint price_drops_check check ((old_price is null) = (dropped_at is null)) not valid,
      add constraint price_drops_check1 check (not is_new or old_price is not null) not valid;
    alter table daily_figures drop constraint daily_figures_value_check;
    alter table daily_figures alter column value type numeric;
    alter table daily_figures add constraint daily_figures_value_check check (value >= 0) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  const before: Record<string, string> = {
    price: "price >= 0 and price <> 'NaN'",
    old_price: "old_price > 0 and old_price <> 'NaN'",
    amount: 'amount > 0 and amount <= 99999999.99',
  };
  for (const { table, column, check } of COLUMNS) {
    await knex.raw(`alter table ${table} drop constraint ${check}`);
    const change = `alter table ${table} alter column ${column} type numeric(10, 2);`;
    await knex.raw(table === 'ads' ? withoutView(change) : change);
    await knex.raw(`alter table ${table} add constraint ${check} check (${before[column]})`);
  }
  await knex.raw('alter table daily_figures alter column value type numeric(16, 2)');
}
