import type { Knex } from 'knex';

/**
 * X accounts whose person was deleted here while banned: a keyed, slow hash of X's id, nothing of the person. And handles
 * as long as X's oldest are: 15 characters are the rule of today.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table banned_x_accounts (
      id_hash bytea primary key check (octet_length(id_hash) = 32),
      banned_at timestamptz not null
    );
    alter table users drop constraint users_username_check;
    alter table users add constraint users_username_check check (username ~ '^[A-Za-z0-9_]{1,50}$') not valid;
    alter table users validate constraint users_username_check;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table banned_x_accounts;
    alter table users drop constraint users_username_check;
    alter table users add constraint users_username_check check (username ~ '^[A-Za-z0-9_]{1,15}$') not valid;
  `);
}
