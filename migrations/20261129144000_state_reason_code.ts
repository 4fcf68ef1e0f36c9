import type { Knex } from 'knex';

/** The reason of a removal without a note. Its owner reads it in their language; `state_reason` has its English words. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table ads
      add state_reason_code text,
      add constraint ads_state_reason_code_check check (length(state_reason_code) <= 30) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table ads drop column state_reason_code');
}
