import type { Knex } from 'knex';

/**
 * ads.moderation is the one moderation status of an ad: clear, pending (waits for approval), held (hidden until staff decide) or
 * removed. Until now state and taken_down encoded it together. The trigger keeps all three in step, whichever is written, because
 * replicas of the previous release read and write the former two (docs/adr/0016: what the release after this one removes).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- a constant default: no row is written
    alter table ads add column moderation text not null default 'clear';
    alter table ads add constraint ads_moderation_check
      check (moderation in ('clear', 'pending', 'held', 'removed')) not valid;

    create function ad_moderation(state text, taken_down boolean) returns text language sql immutable parallel safe as $$
      select case when state = 'inactive' then 'removed'
        when state = 'pending' then case when taken_down then 'held' else 'pending' end
        else 'clear' end
    $$;

    create or replace function ads_set_listed() returns trigger language plpgsql as $$
    declare
      before text := 'clear';
    begin
      if tg_op = 'UPDATE' then before := old.moderation; end if;
      if new.state = 'deleted' then
        null;
      elsif new.moderation <> before then
        new.taken_down := new.moderation in ('held', 'removed');
        new.state := case
          when new.moderation = 'removed' then 'inactive'
          when new.moderation <> 'clear' then 'pending'
          when new.state in ('pending', 'inactive') then 'active'
          else new.state end;
      else
        new.moderation := ad_moderation(new.state, new.taken_down);
      end if;
      new.listed := new.state = 'active' and new.moderation = 'clear' and not new.seller_banned and
        case when new.is_sold then coalesce(new.sold_listed_until > now(), false)
             else new.expires_at is null or new.expires_at > now() end;
      return new;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function ads_set_listed() returns trigger language plpgsql as $$
    begin
      new.listed := new.state = 'active' and not new.seller_banned and
        case when new.is_sold then coalesce(new.sold_listed_until > now(), false)
             else new.expires_at is null or new.expires_at > now() end;
      return new;
    end $$;
    drop function ad_moderation;
    alter table ads drop column moderation;
  `);
}
