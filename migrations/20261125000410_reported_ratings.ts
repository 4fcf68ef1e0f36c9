import type { Knex } from 'knex';

const BEFORE = ['ad', 'user', 'message', 'decision'];

const setTargets = async (knex: Knex, targets: readonly string[], removable: readonly string[]): Promise<void> => {
  const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');
  for (const table of ['moderation_cases', 'decisions'])
    await knex.raw(`
      alter table ${table} drop constraint ${table}_target_type_check;
      alter table ${table} add constraint ${table}_target_type_check check (target_type in (${list(targets)}));
    `);
  await knex.raw(`
    alter table decisions add constraint decisions_taken_check check (
      (action <> 'hold' or target_type = 'ad') and (action <> 'remove' or target_type in (${list(removable)})));
  `);
};

/** Ratings can be reported, and staff can remove them: one removal of a rating is in effect at a time. */
export async function up(knex: Knex): Promise<void> {
  // the name that PostgreSQL gave the check of holds and removals
  await knex.raw('alter table decisions drop constraint decisions_check4');
  await setTargets(knex, [...BEFORE, 'rating'], ['ad', 'rating']);
  await knex.raw(`create unique index decisions_rating on decisions (target_id)
    where action = 'remove' and target_type = 'rating' and ended_at is null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index decisions_rating;
    delete from appeals a using decisions d where d.id = a.decision_id and d.target_type = 'rating';
    delete from decisions where target_type = 'rating';
    delete from reports r using moderation_cases c where c.id = r.case_id and c.target_type = 'rating';
    delete from moderation_cases where target_type = 'rating';
    alter table decisions drop constraint decisions_taken_check;
  `);
  await setTargets(knex, BEFORE, ['ad']);
  await knex.raw('alter table decisions rename constraint decisions_taken_check to decisions_check4');
}
