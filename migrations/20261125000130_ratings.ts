import type { Knex } from 'knex';

/**
 * What the two people of a deal say about each other. A rating is public when both have rated or the deal's `ends_at` has
 * passed, unless staff removed it. The figure of a person (users.rated_deals, users.rated_good) follows.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ratings (
      id bigint generated always as identity primary key,
      deal_id bigint not null references deals on delete cascade,
      rater_id bigint not null references users,
      rated_id bigint not null references users,
      value text not null check (value in ('good', 'neutral', 'bad')),
      tags text[] not null default '{}' check (tags <@ array['friendly', 'quick', 'as_described', 'punctual', 'no_show',
        'not_as_described', 'slow'] and cardinality(tags) <= 7),
      text text not null default '' check (char_length(text) <= 300),
      created_at timestamptz not null default now(),
      reply text check (char_length(reply) between 1 and 300),
      replied_at timestamptz,
      removed_at timestamptz,
      unique (deal_id, rater_id),
      check (rater_id <> rated_id),
      check ((reply is null) = (replied_at is null))
    );
    create index ratings_rated on ratings (rated_id, id desc);
    create index ratings_rater on ratings (rater_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ratings');
}
