import type { Knex } from 'knex';

/** Photos that people uploaded within the last day. An ad of theirs may show them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table photos (
      user_id bigint not null references users on delete cascade,
      sha256 bytea not null references images,
      created_at timestamptz not null default now(),
      primary key (user_id, sha256)
    );
    create index photos_sha256 on photos (sha256);
    create index photos_created_at on photos (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table photos');
}
