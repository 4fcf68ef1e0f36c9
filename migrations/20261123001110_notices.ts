import type { Knex } from 'knex';

/**
 * Notices that staff send to one person or to everyone. A notice to everyone is delivered in batches, in the order of
 * the users' ids; `delivered_to` is how far it has come, so that an interrupted delivery continues there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notices (
      id bigint generated always as identity (start with 10001) primary key,
      title text not null check (char_length(title) between 1 and 100),
      body text not null check (char_length(body) between 1 and 1000),
      sender_id bigint references users,
      receiver_id bigint references users,
      last_user_id bigint not null,
      delivered_to bigint not null default 0,
      recipients integer not null default 0 check (recipients >= 0),
      created_at timestamptz not null default now(),
      finished_at timestamptz
    );
    create index notices_unfinished on notices (id) where finished_at is null;

    alter table notifications add notice_id bigint references notices,
      add constraint notifications_notice check (notice_id is null or kind = 'notice');
    create unique index notifications_notice_user on notifications (notice_id, user_id) where notice_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table notifications drop column notice_id');
  await knex.raw('drop table notices');
}
