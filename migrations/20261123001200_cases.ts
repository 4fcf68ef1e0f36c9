import type { Knex } from 'knex';

const REASONS = `('scam', 'prohibited', 'counterfeit', 'duplicate', 'wrong_category', 'offensive', 'harassment', 'other')`;

/**
 * Reports and what staff decide about them. A case collects the open reports about one target; an appeal is a case about a
 * decision. A decision exists also for what staff do outside of cases. Partial unique indexes keep what exists at most once:
 * one open case per target, one decision that ends a case, one decision in effect per ad.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table moderation_cases (
      id bigint generated always as identity (start with 10001) primary key,
      target_type text not null check (target_type in ('ad', 'user', 'message', 'decision')),
      target_id bigint not null,
      person_id bigint not null references users,
      weight numeric(12, 2) not null default 0 check (weight >= 0),
      reported jsonb not null check (jsonb_typeof(reported) = 'object'),
      opened_at timestamptz not null default now(),
      decided_at timestamptz
    );
    create unique index moderation_cases_target on moderation_cases (target_type, target_id) where decided_at is null;
    create index moderation_cases_queue on moderation_cases (weight desc, id) where decided_at is null;
    create index moderation_cases_person on moderation_cases (person_id);

    create table case_images (
      case_id bigint not null references moderation_cases,
      sha256 bytea not null references images,
      primary key (case_id, sha256)
    );
    create index case_images_sha256 on case_images (sha256);

    create table reports (
      id bigint generated always as identity (start with 10001) primary key,
      case_id bigint not null references moderation_cases,
      reporter_id bigint not null references users,
      reason text not null check (reason in ${REASONS}),
      details text check (char_length(details) between 1 and 1000),
      weight numeric(3, 2) not null check (weight in (0, 0.25, 1, 2)),
      outcome text check (outcome in ('dismissed', 'upheld')),
      created_at timestamptz not null default now(),
      decided_at timestamptz,
      unique (case_id, reporter_id),
      check (reason <> 'other' or details is not null),
      check ((outcome is null) = (decided_at is null))
    );
    create index reports_reporter on reports (reporter_id, decided_at desc);

    create table decisions (
      id bigint generated always as identity (start with 10001) primary key,
      case_id bigint references moderation_cases,
      person_id bigint not null references users,
      target_type text not null check (target_type in ('ad', 'user', 'message', 'decision')),
      target_id bigint not null,
      title text check (char_length(title) between 1 and 100),
      action text not null
        check (action in ('hold', 'remove', 'warn', 'suspend', 'ban', 'dismiss', 'uphold', 'reverse')),
      reason text not null check (reason in ${REASONS}),
      note text check (char_length(note) between 1 and 500),
      days smallint check (days between 1 and 365),
      until timestamptz,
      is_automatic boolean not null default false,
      decided_by bigint references users,
      restore jsonb check (jsonb_typeof(restore) = 'object'),
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      reversed_at timestamptz,
      check ((action = 'suspend') = (days is not null)),
      check ((action = 'suspend') = (until is not null)),
      check (is_automatic = (action = 'hold')),
      check (not is_automatic or decided_by is null),
      check (action not in ('hold', 'remove') or target_type = 'ad'),
      check ((action in ('uphold', 'reverse')) = (target_type = 'decision')),
      check (reversed_at is null or ended_at is not null)
    );
    create unique index decisions_end_case on decisions (case_id) where action <> 'hold';
    create unique index decisions_ad on decisions (target_id)
      where action in ('hold', 'remove') and target_type = 'ad' and ended_at is null;
    create index decisions_case on decisions (case_id);
    create index decisions_person on decisions (person_id, id desc);

    create table appeals (
      id bigint generated always as identity (start with 10001) primary key,
      decision_id bigint not null unique references decisions,
      case_id bigint not null unique references moderation_cases,
      text text not null check (char_length(text) between 1 and 1000),
      created_at timestamptz not null default now()
    );

    create table ad_clearances (
      ad_id bigint not null references ads on delete cascade,
      content bytea not null check (octet_length(content) = 32),
      created_at timestamptz not null default now(),
      primary key (ad_id, content)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ad_clearances, appeals, decisions, reports, case_images, moderation_cases');
}
