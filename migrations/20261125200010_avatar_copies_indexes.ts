import type { Knex } from 'knex';

export const config = { transaction: false };

/** Which images are avatars, and whose avatars are due. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index concurrently if not exists users_avatar_sha256 on users (avatar_sha256) where avatar_sha256 is not null',
  );
  await knex.raw(
    'create index concurrently if not exists users_avatars_due on users (avatar_checked_at nulls first) where avatar is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists users_avatar_sha256');
  await knex.raw('drop index if exists users_avatars_due');
}
