import type { Knex } from 'knex';

/** Records the decision of each ban that has none (20261125234000). Apart from the trigger: it reads all users. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into decisions (person_id, target_type, target_id, action, reason, created_at)
      select id, 'user', id, 'ban', 'other', banned_at from users u
      where banned_at is not null
        and not exists (select from decisions where person_id = u.id and action = 'ban' and ended_at is null)
  `);
}

export async function down(): Promise<void> {
  // the decisions are true, and the previous release shows them
}
