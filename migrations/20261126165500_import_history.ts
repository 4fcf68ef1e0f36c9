import type { Knex } from 'knex';

/** A person has one import that is open, and the ones before it. What they chose for a kind of file is remembered. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table imports drop constraint imports_user_id_key,
      -- rows of the preview
      add column same int not null default 0,
      add column wrong int not null default 0;
    create unique index imports_open on imports (user_id) where state in ('reading', 'ready', 'running');
    create index imports_of_user on imports (user_id, id);

    create table import_choices (
      user_id bigint not null references users on delete cascade,
      -- made of the format and the headings
      kind text not null check (kind ~ '^[0-9a-f]{32}$'),
      choices jsonb not null check (jsonb_typeof(choices) = 'object'),
      used_at timestamptz not null default now(),
      primary key (user_id, kind)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table import_choices;
    drop index imports_of_user, imports_open;
    delete from imports i where exists (select from imports n where n.user_id = i.user_id and n.id > i.id);
    alter table imports drop column same, drop column wrong, add unique (user_id);
  `);
}
