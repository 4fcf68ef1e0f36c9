import type { Knex } from 'knex';

/** Same texts are found by a hash: to compare the texts themselves takes too long for a sender of many. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table messages add text_hash bytea;
    alter table messages add constraint messages_text_hash_check check (octet_length(text_hash) = 16) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table messages drop column text_hash');
}
