import type { Knex } from 'knex';

const BATCH = 20_000;

/** An empty row for each ad of before, in batches; a job reads them (index-ads). */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw('select coalesce(max(id), 0) as last from ads');
  for (let first = 0; first <= Number(rows[0].last); first += BATCH)
    await knex.raw(
      `insert into ad_terms (ad_id)
       select id from ads where id >= ? and id < ? and state <> 'deleted' order by id on conflict do nothing`,
      [first, first + BATCH],
    );
  await knex.raw('analyze ad_terms');
}

export async function down(): Promise<void> {}

export const config = { transaction: false };
