import type { Knex } from 'knex';

/** What administrators look for is mostly what the public does not see: ads in no list, by state and by words. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index ads_pending;
    create index ads_off on ads (state, id desc) where state in ('pending', 'inactive', 'expired');
    create index ads_search_unlisted on ads using gin ((id >> 14), category_id, tsv)
      where not listed and state <> 'deleted';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index ads_search_unlisted, ads_off;
    create index ads_pending on ads (id desc) where state = 'pending';
  `);
}
