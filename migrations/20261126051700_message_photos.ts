import type { Knex } from 'knex';

/**
 * Photos of messages: without a message until they are sent, within a day. Their images are private: no public address
 * serves them. Replicas of the release before do not know the table, so a trigger keeps their sweep of unused images from
 * these.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table images add column is_private boolean not null default false;
    create table message_photos (
      id bigint primary key generated always as identity,
      user_id bigint not null references users on delete cascade,
      message_id bigint references messages on delete cascade,
      position smallint not null default 0,
      sha256 bytea not null references images,
      created_at timestamptz not null default now()
    );
    create index message_photos_message on message_photos (message_id, position);
    create index message_photos_sha256 on message_photos (sha256);
    create index message_photos_unsent on message_photos (user_id, created_at) where message_id is null;

    create function keep_message_photos() returns trigger language plpgsql as $$
    begin
      if exists (select from message_photos where sha256 = new.sha256) then
        return null;
      end if;
      return new;
    end $$;
    create trigger keep_message_photos before update of deleting_at on images for each row
      when (new.is_private and new.deleting_at is not null) execute function keep_message_photos();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger keep_message_photos on images;
    drop function keep_message_photos;
    drop table message_photos;
    alter table images drop column is_private;
  `);
}
