import type { Knex } from 'knex';

/**
 * Running fan-outs: one notification for many people, in batches, in the order of their ids. `delivered_to` is how far it has
 * come, so that an interrupted one continues there. Those that the previous release runs are carried over. Its replicas, if
 * they begin others, use `delivered_to` and `begun_at` of the three tables, which a later release drops.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table fan_outs (
      kind text not null check (kind in ('announcement', 'price_drop', 'notice')),
      subject_id bigint not null,
      begun_at timestamptz not null default clock_timestamp(),
      delivered_to bigint not null default 0 check (delivered_to >= 0),
      primary key (kind, subject_id)
    );
  `);
  // a replica may be running one: `for update` waits for its batch
  await knex.raw(`
    with running as (
      select seller_id, delivered_to, begun_at from announcements where delivered_to is not null for update
    ), ended as (
      update announcements set delivered_to = null, finished_at = clock_timestamp()
      where seller_id in (select seller_id from running)
    )
    insert into fan_outs (kind, subject_id, begun_at, delivered_to)
      select 'announcement', seller_id, begun_at, delivered_to from running;

    with running as (
      select ad_id, delivered_to, begun_at from price_drops where delivered_to is not null for update
    ), ended as (
      update price_drops set delivered_to = null where ad_id in (select ad_id from running)
    )
    insert into fan_outs (kind, subject_id, begun_at, delivered_to)
      select 'price_drop', ad_id, begun_at, delivered_to from running;

    with running as (
      select id, delivered_to, created_at from notices where finished_at is null for update
    ), ended as (
      update notices set delivered_to = last_user_id where id in (select id from running)
    )
    insert into fan_outs (kind, subject_id, begun_at, delivered_to)
      select 'notice', id, created_at, delivered_to from running;

    do $$ begin
      if to_regnamespace('graphile_worker') is not null then
        perform graphile_worker.add_job('fan-out', json_build_object('kind', kind, 'subjectId', subject_id::text),
          job_key := format('fan-out %s %s', kind, subject_id)) from fan_outs;
      end if;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update announcements a set delivered_to = f.delivered_to, begun_at = f.begun_at
      from fan_outs f where f.kind = 'announcement' and f.subject_id = a.seller_id;
    update price_drops d set delivered_to = f.delivered_to, begun_at = f.begun_at
      from fan_outs f where f.kind = 'price_drop' and f.subject_id = d.ad_id;
    update notices n set delivered_to = f.delivered_to
      from fan_outs f where f.kind = 'notice' and f.subject_id = n.id;
    do $$ begin
      if to_regnamespace('graphile_worker') is not null then
        perform graphile_worker.add_job(
          case kind when 'announcement' then 'announce-new-ads' when 'price_drop' then 'notify-price-drop'
            else 'deliver-notice' end,
          json_build_object(case kind when 'announcement' then 'sellerId' when 'price_drop' then 'adId'
            else 'noticeId' end, subject_id::text)) from fan_outs;
      end if;
    end $$;
    drop table fan_outs;
  `);
}
