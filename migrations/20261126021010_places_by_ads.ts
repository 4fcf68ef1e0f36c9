import type { Knex } from 'knex';

const PREFIXES = { places_1_letter: 1, places_2_letters: 2, places_3_letters: 3 };

/**
 * Places that begin with the same letters in order of their ads, then of size, and the places of a country. The former
 * order alone has no reader after the upgrade; until then, replicas of the previous release sort.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [former, letters] of Object.entries(PREFIXES)) {
    await build(knex, `${former}_by_ads`, `(left(folded, ${letters}), ads desc, population desc, id)`);
    await knex.raw(`drop index concurrently if exists ${former}`);
  }
  await build(knex, 'places_of_country', '(country, folded)');
  await knex.raw('analyze places');
}

export async function down(knex: Knex): Promise<void> {
  for (const [former, letters] of Object.entries(PREFIXES)) {
    await build(knex, former, `(left(folded, ${letters}), population desc, id)`);
    await knex.raw(`drop index concurrently if exists ${former}_by_ads`);
  }
  await knex.raw('drop index concurrently if exists places_of_country');
}

/** Can be repeated after a stop at any point: it keeps a complete index. */
async function build(knex: Knex, name: string, columns: string): Promise<void> {
  const { rows } = await knex.raw('select from pg_index where indexrelid = to_regclass(?) and not indisvalid', [name]);
  if (rows.length > 0) await knex.raw(`drop index concurrently ${name}`);
  await knex.raw(`create index concurrently if not exists ${name} on places ${columns}`);
}

export const config = { transaction: false };
