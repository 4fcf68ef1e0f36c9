import type { Knex } from 'knex';

/** Who follows whom, to be notified about new ads. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table follows (
      id bigint generated always as identity,
      follower_id bigint not null references users,
      seller_id bigint not null references users,
      created_at timestamptz not null default now(),
      primary key (follower_id, seller_id),
      check (follower_id <> seller_id)
    );
    create index follows_newest on follows (follower_id, id desc);
    create index follows_seller on follows (seller_id, follower_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table follows');
}
