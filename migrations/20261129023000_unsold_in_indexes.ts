import type { Knex } from 'knex';

/** What each index has: its columns, and what it had beside them. */
const INDEXES: Record<string, { columns: string; included?: string }> = {
  listed_ads_category: { columns: '(category_id, id)', included: 'price' },
  listed_ads_price_asc: { columns: '(price, id desc)' },
  listed_ads_price_desc: { columns: '(price, id)' },
  listed_ads_category_price_asc: { columns: '(category_id, price, id desc)' },
  listed_ads_category_price_desc: { columns: '(category_id, price, id)' },
  listed_ads_place: { columns: '(place_id, id)' },
  listed_ads_category_place: { columns: '(category_id, place_id, id)' },
};

const include = (names: (string | undefined)[]): string => {
  const known = names.filter((name) => name !== undefined);
  return known.length > 0 ? `include (${known.join(', ')})` : '';
};

/**
 * Lists leave sold ads out, so a price range or a radius is counted from the index alone only if the index says which ads are
 * sold. Concurrently, because the table may be big; the former index serves until the new one is there.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns, included }] of Object.entries(INDEXES)) {
    await knex.raw(`drop index concurrently if exists ${name}_sold`);
    await knex.raw(`create index concurrently ${name}_sold on listed_ads ${columns} ${include([included, 'is_sold'])}`);
    await knex.raw(`drop index concurrently if exists ${name}`);
  }
  await knex.raw('analyze listed_ads');
}

export async function down(knex: Knex): Promise<void> {
  for (const [name, { columns, included }] of Object.entries(INDEXES)) {
    await knex.raw(`create index concurrently if not exists ${name} on listed_ads ${columns} ${include([included])}`);
    await knex.raw(`drop index concurrently if exists ${name}_sold`);
  }
}

export const config = { transaction: false };
