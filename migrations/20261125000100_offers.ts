import type { Knex } from 'knex';

/**
 * Offers: messages with a price. An offer past `expires_at` is expired, even if its row still says open: reads compare
 * the time. One is open per conversation.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table offers (
      id bigint generated always as identity primary key,
      message_id bigint not null unique references messages on delete cascade,
      conversation_id bigint not null references conversations on delete cascade,
      ad_id bigint not null references ads on delete cascade,
      maker_id bigint not null references users,
      receiver_id bigint not null references users,
      amount numeric(10, 2) not null check (amount > 0 and amount <= 99999999.99),
      status text not null default 'open'
        check (status in ('open', 'accepted', 'declined', 'countered', 'withdrawn', 'expired', 'void')),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      settled_at timestamptz,
      check (maker_id <> receiver_id),
      check ((status = 'open') = (settled_at is null)),
      check (expires_at > created_at)
    );
    create unique index offers_open on offers (conversation_id) where status = 'open';
    create index offers_conversation on offers (conversation_id, id desc);
    create index offers_open_of_ad on offers (ad_id) where status = 'open';
    create index offers_expiring on offers (expires_at) where status = 'open';
    create index offers_maker on offers (maker_id);
    create index offers_receiver on offers (receiver_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table offers');
}
