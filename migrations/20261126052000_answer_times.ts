import type { Knex } from 'knex';

/** How many minutes a seller usually takes to answer a first message, by the last run of the job `time-answers`. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add answer_minutes integer,
      add constraint users_answer_minutes_check check (answer_minutes >= 0) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column answer_minutes');
}
