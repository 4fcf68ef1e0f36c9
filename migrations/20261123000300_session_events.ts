import type { Knex } from 'knex';

/**
 * Names the person in the payload of the channel `sessions`, so that replicas drop what they hold of that person only. An
 * empty payload means everybody: one statement that ends the sessions of more than twenty people sends it once.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger notify_standing on users;
    drop trigger notify_session_end on sessions;
    drop function notify_session_change();

    create function notify_sessions_ended() returns trigger language plpgsql as $$
    begin
      if (select count(distinct user_id) from ended) > 20 then
        perform pg_notify('sessions', '');
      else
        perform pg_notify('sessions', user_id::text)
          from (select distinct user_id from ended where user_id is not null) people;
      end if;
      return null;
    end $$;
    create trigger notify_sessions_ended after delete on sessions referencing old table as ended
      for each statement execute function notify_sessions_ended();

    create function notify_user_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('sessions', new.id::text);
      return null;
    end $$;
    create trigger notify_user_changed after update of role, banned_at, deleted_at on users
      for each row when ((old.role, old.banned_at, old.deleted_at) is distinct from (new.role, new.banned_at, new.deleted_at))
      execute function notify_user_changed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger notify_user_changed on users;
    drop trigger notify_sessions_ended on sessions;
    drop function notify_user_changed();
    drop function notify_sessions_ended();

    create function notify_session_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('sessions', '');
      return null;
    end $$;
    create trigger notify_session_end after delete on sessions
      for each statement execute function notify_session_change();
    create trigger notify_standing after update of role, banned_at, deleted_at on users
      for each statement execute function notify_session_change();
  `);
}
