import type { Knex } from 'knex';

/**
 * The role `moderator`, and suspensions that end by themselves. `suspended_until` in the past means nothing: a job clears
 * it and restores the ads.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users add column suspended_until timestamptz;
    alter table users drop constraint users_role_check;
    alter table users add constraint users_role_check check (role in ('user', 'moderator', 'admin')) not valid;

    drop trigger notify_user_changed on users;
    create trigger notify_user_changed after update of role, banned_at, suspended_until, deleted_at on users
      for each row when ((old.role, old.banned_at, old.suspended_until, old.deleted_at)
        is distinct from (new.role, new.banned_at, new.suspended_until, new.deleted_at))
      execute function notify_user_changed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger notify_user_changed on users;
    update ads set seller_banned = false from users u
      where u.id = ads.user_id and seller_banned and u.banned_at is null and u.suspended_until is not null;
    update users set role = 'user' where role = 'moderator';
    alter table users drop constraint users_role_check;
    alter table users add constraint users_role_check check (role in ('user', 'admin'));
    alter table users drop column suspended_until;
    create trigger notify_user_changed after update of role, banned_at, deleted_at on users
      for each row when ((old.role, old.banned_at, old.deleted_at) is distinct from (new.role, new.banned_at, new.deleted_at))
      execute function notify_user_changed();
  `);
}
