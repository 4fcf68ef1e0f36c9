import type { Knex } from 'knex';

/** Ads from files: what a file has, before and while it becomes ads; what the ads are called there; their photos. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table imports (
      id bigint generated always as identity primary key,
      -- a person has one: the next replaces it
      user_id bigint not null unique references users on delete cascade,
      source text not null check (length(source) between 1 and 50),
      format text not null check (length(format) between 1 and 50),
      -- of its prices
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      file_name text not null check (length(file_name) <= 255),
      state text not null default 'reading' check (state in ('reading', 'ready', 'running', 'done', 'failed')),
      options jsonb not null default '{}' check (jsonb_typeof(options) = 'object'),
      rows int not null default 0,
      -- the last position that is done
      done int not null default 0,
      created int not null default 0,
      updated int not null default 0,
      paused int not null default 0,
      refused int not null default 0,
      error text check (length(error) <= 500),
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz
    );
    create index imports_created on imports (created_at);

    create table import_rows (
      import_id bigint not null references imports on delete cascade,
      position int not null,
      line int not null,
      external_id text not null check (length(external_id) between 1 and 200),
      title text not null check (length(title) <= 400),
      kind text not null check (kind in ('new', 'changed', 'same', 'wrong')),
      ad_id bigint references ads on delete set null,
      content jsonb,
      hash bytea check (octet_length(hash) = 32),
      problems jsonb not null default '[]',
      notes jsonb not null default '[]',
      unknown_category text,
      primary key (import_id, position),
      check ((kind in ('new', 'changed')) <= (content is not null))
    );
    create index import_rows_kind on import_rows (import_id, kind, position);
    create index import_rows_external_id on import_rows (import_id, external_id, position);
    create index import_rows_ad on import_rows (ad_id);

    create table imported_ads (
      ad_id bigint primary key references ads on delete cascade,
      user_id bigint not null references users on delete cascade,
      source text not null check (length(source) between 1 and 50),
      external_id text not null check (length(external_id) between 1 and 200),
      hash bytea not null check (octet_length(hash) = 32),
      imported_at timestamptz not null default now(),
      unique (user_id, source, external_id)
    );

    create table imported_photos (
      ad_id bigint not null references ads on delete cascade,
      position int not null,
      url text not null check (length(url) <= 2048),
      sha256 bytea check (octet_length(sha256) = 32),
      tries int not null default 0,
      failure text check (length(failure) <= 300),
      primary key (ad_id, position)
    );
    create index imported_photos_due on imported_photos (ad_id) where sha256 is null and failure is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table imported_photos, imported_ads, import_rows, imports');
}
