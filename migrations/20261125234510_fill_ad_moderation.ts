import type { Knex } from 'knex';

const BATCH = 20_000;

/** Sets the status of ads that are not clear (20261125234500), in batches. What changes meanwhile is set by the trigger. */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw('select coalesce(max(id), 0) as last from ads');
  for (let first = 0; first <= Number(rows[0].last); first += BATCH)
    await knex.raw(
      `update ads set moderation = ad_moderation(state, taken_down)
       where id >= ? and id < ? and state in ('pending', 'inactive') and moderation = 'clear'`,
      [first, first + BATCH],
    );
}

export async function down(): Promise<void> {}

export const config = { transaction: false };
