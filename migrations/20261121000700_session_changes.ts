import type { Knex } from 'knex';

/**
 * Replicas keep sessions and roles in memory for up to 5 s; NOTIFY empties that as soon as a session ends or a person's
 * role, ban or deletion changes, by any actor.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger notify_standing on users;
    drop trigger notify_session_end on sessions;
    drop function notify_session_change();
  `);
}
