import type { Knex } from 'knex';

/**
 * Sellers may pause an ad: it is hidden, and its time runs on. `is_paused` is what the seller wants; the state is "paused" while the ad
 * would otherwise be active, so that replicas of the previous release hide it as they hide every state that they do not know. A sale and
 * the end of its time end a pause.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- a constant default: no row is written
    alter table ads add column is_paused boolean not null default false;
    alter table ads drop constraint ads_state_check;
    alter table ads add constraint ads_state_check
      check (state in ('active', 'paused', 'pending', 'inactive', 'expired', 'deleted')) not valid;

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
      new.is_paused := new.is_paused and not new.is_sold and new.state not in ('expired', 'deleted');
      if new.state in ('active', 'paused') then
        new.state := case when new.is_paused then 'paused' else 'active' end;
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
    update ads set is_paused = false where is_paused;
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
    alter table ads drop column is_paused;
    alter table ads drop constraint ads_state_check;
    alter table ads add constraint ads_state_check
      check (state in ('active', 'pending', 'inactive', 'expired', 'deleted')) not valid;
  `);
}
