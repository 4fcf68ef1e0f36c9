import type { Knex } from 'knex';

/**
 * Who has an open event stream, by the process that serves it. A process without a recent heartbeat is dead and its rows
 * count for nothing. Unlogged: after a crash of the database the processes enter their rows again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table stream_servers (
      id uuid primary key,
      seen_at timestamptz not null
    );
    create unlogged table open_streams (
      user_id bigint not null references users,
      server_id uuid not null references stream_servers on delete cascade,
      primary key (user_id, server_id)
    );
    create index open_streams_server on open_streams (server_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table open_streams, stream_servers');
}
