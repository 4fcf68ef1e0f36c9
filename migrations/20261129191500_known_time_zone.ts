import type { Knex } from 'knex';

/**
 * The first of two time zones that this PostgreSQL knows. Browsers also name zones by old names such as Asia/Calcutta, which
 * some systems keep in a package of their own: without it, using one fails.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function known_time_zone(wanted text, otherwise text) returns text language plpgsql stable as $$
      begin
        perform now() at time zone wanted;
        return coalesce(wanted, otherwise);
      exception when invalid_parameter_value then
        return otherwise;
      end;
    $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function known_time_zone(text, text)');
}
