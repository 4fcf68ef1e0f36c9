import type { Knex } from 'knex';

/** What people read about an import or a delivery, beside its English words: a text of the catalogs, with its values. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table imports add column error_phrase jsonb;
    alter table import_rows add column note_phrases jsonb;
    alter table imported_photos add column failure_phrase jsonb;
    alter table webhook_deliveries add column error_phrase jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_deliveries drop column error_phrase;
    alter table imported_photos drop column failure_phrase;
    alter table import_rows drop column note_phrases;
    alter table imports drop column error_phrase;
  `);
}
