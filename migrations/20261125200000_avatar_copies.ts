import type { Knex } from 'knex';

/** `avatar` stays the address at X; the copy is what the site shows. Not valid: the new column is empty. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users add avatar_sha256 bytea, add avatar_checked_at timestamptz,
      add constraint users_avatar_sha256_fkey foreign key (avatar_sha256) references images (sha256)
        on delete set null not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column avatar_sha256, drop column avatar_checked_at');
}
