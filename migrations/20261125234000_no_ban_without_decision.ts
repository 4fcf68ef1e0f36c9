import type { Knex } from 'knex';

/**
 * Whoever is banned has a decision to read and to appeal. The server records it with the ban, and its previous release did
 * so only in cases: for a ban without one, this trigger records it at the end of the transaction. The note for the person
 * stays empty, because the reason was written for staff.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function record_ban() returns trigger language plpgsql as $$
    begin
      insert into decisions (person_id, target_type, target_id, action, reason)
        select id, 'user', id, 'ban', 'other' from users
        where id = new.id and banned_at is not null
          and not exists (select from decisions where person_id = new.id and action = 'ban' and ended_at is null);
      return null;
    end $$;
    create constraint trigger users_banned after update of banned_at on users deferrable initially deferred
      for each row when (old.banned_at is null and new.banned_at is not null) execute function record_ban();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger users_banned on users; drop function record_ban();');
}
