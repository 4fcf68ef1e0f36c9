import type { Knex } from 'knex';

/**
 * Totals that would otherwise be counted over everything: 'listed:{category}', 'unsold:{category}', 'users'. Writers
 * append deltas (a counter row updated by a trigger cut 8 writers to 0.3 times their speed); a job folds them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table counters (key text primary key, value bigint not null default 0);
    create table counter_deltas (
      id bigint generated always as identity primary key,
      key text not null,
      delta integer not null
    );

    create view counter_totals as
      select key, sum(value)::bigint as value
      from (select key, value from counters union all select key, delta from counter_deltas) both_parts
      group by key;

    create function fold_counters() returns void language sql as $$
      with taken as (delete from counter_deltas returning key, delta)
      insert into counters as c (key, value)
      select key, sum(delta) from taken group by key order by key
      on conflict (key) do update set value = c.value + excluded.value;
    $$;

    create function count_ads() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into counter_deltas (key, delta)
        select 'listed:' || category_id, count(*) from new_ads where listed group by category_id
        union all
        select 'unsold:' || category_id, count(*) from new_ads where listed and not is_sold group by category_id;
      elsif tg_op = 'DELETE' then
        insert into counter_deltas (key, delta)
        select 'listed:' || category_id, -count(*) from old_ads where listed group by category_id
        union all
        select 'unsold:' || category_id, -count(*) from old_ads where listed and not is_sold group by category_id;
      else
        insert into counter_deltas (key, delta)
        select key, sum(delta) from (
          select 'listed:' || category_id as key, 1 as delta from new_ads where listed
          union all select 'listed:' || category_id, -1 from old_ads where listed
          union all select 'unsold:' || category_id, 1 from new_ads where listed and not is_sold
          union all select 'unsold:' || category_id, -1 from old_ads where listed and not is_sold
        ) changes group by key having sum(delta) <> 0;
      end if;
      return null;
    end $$;
    create trigger count_inserted_ads after insert on ads referencing new table as new_ads
      for each statement execute function count_ads();
    create trigger count_updated_ads after update on ads referencing old table as old_ads new table as new_ads
      for each statement execute function count_ads();
    create trigger count_deleted_ads after delete on ads referencing old table as old_ads
      for each statement execute function count_ads();

    create function count_users() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into counter_deltas (key, delta)
        select 'users', count(*) from new_users where username is not null and banned_at is null having count(*) > 0;
      else
        insert into counter_deltas (key, delta)
        select 'users', sum(delta) from (
          select 1 as delta from new_users where username is not null and banned_at is null
          union all select -1 from old_users where username is not null and banned_at is null
        ) changes having sum(delta) <> 0;
      end if;
      return null;
    end $$;
    create trigger count_inserted_users after insert on users referencing new table as new_users
      for each statement execute function count_users();
    create trigger count_updated_users after update on users referencing old table as old_users new table as new_users
      for each statement execute function count_users();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger count_inserted_users on users;
    drop trigger count_updated_users on users;
    drop trigger count_inserted_ads on ads;
    drop trigger count_updated_ads on ads;
    drop trigger count_deleted_ads on ads;
    drop function count_users, count_ads, fold_counters;
    drop view counter_totals;
    drop table counter_deltas, counters;
  `);
}
