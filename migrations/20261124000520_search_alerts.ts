import type { Knex } from 'knex';

/**
 * When a saved search notifies next, in a narrow table of its own: an ad may match thousands of searches, and each change
 * of saved_searches would write all of its indexes. An ad's row is never deleted, so its matches need no reference.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table search_alerts (
      search_id bigint primary key references saved_searches on delete cascade,
      notify_at timestamptz,
      notified_at timestamptz
    ) with (fillfactor = 80);
    insert into search_alerts select id, notify_at, notified_at from saved_searches;
    create index search_alerts_due on search_alerts (notify_at) where notify_at is not null;
    alter table saved_searches drop column notify_at, drop column notified_at;
    alter table search_matches drop constraint search_matches_ad_id_fkey;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table search_matches
      add constraint search_matches_ad_id_fkey foreign key (ad_id) references ads on delete cascade;
    alter table saved_searches add column notify_at timestamptz, add column notified_at timestamptz,
      add check (notify_at is null or frequency <> 'never');
    update saved_searches s set notify_at = a.notify_at, notified_at = a.notified_at
      from search_alerts a where a.search_id = s.id;
    create index saved_searches_due on saved_searches (notify_at) where notify_at is not null;
    drop table search_alerts;
  `);
}
