import type { Knex } from 'knex';

/**
 * Ads that were public at least once, and since when. A job matches each of them to the saved searches once: `due` ads wait
 * for it, `hidden` ones left the lists before it ran and wait until they are back. Renewed ads and ads of sellers who were
 * unbanned are not new. Ads from before this table get their row when they leave the lists. Bulk loads set
 * tradepost.bulk_load: their ads are not new.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ad_publications (
      ad_id bigint primary key references ads on delete cascade,
      public_at timestamptz not null default clock_timestamp(),
      state text not null default 'due' check (state in ('due', 'hidden', 'matched'))
    );
    create index ad_publications_due on ad_publications (public_at, ad_id) where state = 'due';

    insert into ad_publications (ad_id, public_at, state)
      select id, created_at, 'matched' from ads where taken_down and state in ('pending', 'inactive', 'expired');

    create function note_publication() returns trigger language plpgsql as $$
    begin
      if current_setting('tradepost.bulk_load', true) = 'on' then return null; end if;
      if tg_op = 'INSERT' then
        insert into ad_publications (ad_id) values (new.id) on conflict do nothing;
      elsif not new.listed then
        insert into ad_publications (ad_id, public_at, state)
          select new.id, new.created_at, 'matched' where new.state <> 'deleted' on conflict do nothing;
      elsif old.state in ('pending', 'inactive') then
        insert into ad_publications (ad_id) values (new.id)
          on conflict (ad_id) do update set state = 'due' where ad_publications.state = 'hidden';
      else
        update ad_publications set state = 'due' where ad_id = new.id and state = 'hidden';
      end if;
      return null;
    end $$;
    create trigger ads_posted after insert on ads
      for each row when (new.listed) execute function note_publication();
    create trigger ads_publication after update on ads
      for each row when (new.listed <> old.listed) execute function note_publication();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger ads_publication on ads;
    drop trigger ads_posted on ads;
    drop function note_publication();
    drop table ad_publications;
  `);
}
