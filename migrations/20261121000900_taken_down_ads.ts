import type { Knex } from 'knex';

/** What an administrator took down stays known as such while its owner edits it: only an administrator puts it back. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table ads add column taken_down boolean not null default false;
    update ads set taken_down = true where state = 'inactive';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table ads drop column taken_down');
}
