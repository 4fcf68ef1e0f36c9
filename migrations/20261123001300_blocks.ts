import type { Knex } from 'knex';

/** Who blocked whom. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table blocks (
      id bigint generated always as identity,
      blocker_id bigint not null references users,
      blocked_id bigint not null references users,
      created_at timestamptz not null default now(),
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    );
    create index blocks_newest on blocks (blocker_id, id desc);
    create index blocks_blocked on blocks (blocked_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table blocks');
}
