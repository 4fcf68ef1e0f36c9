import type { Knex } from 'knex';

/** Favorites, conversations (one per ad and buyer) and messages. Ads and users leave tombstones, so nothing cascades. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table favorites (
      id bigint generated always as identity,
      user_id bigint not null references users on delete cascade,
      ad_id bigint not null references ads on delete cascade,
      created_at timestamptz not null default now(),
      primary key (user_id, ad_id)
    );
    create index favorites_newest on favorites (user_id, id desc);
    create index favorites_ad on favorites (ad_id);

    create table conversations (
      id bigint generated always as identity (start with 10001) primary key,
      ad_id bigint not null references ads,
      seller_id bigint not null references users,
      buyer_id bigint not null references users,
      last_message_id bigint not null default 0,
      message_count integer not null default 0,
      created_at timestamptz not null default now(),
      unique (ad_id, buyer_id),
      check (seller_id <> buyer_id)
    );
    create index conversations_seller on conversations (seller_id, last_message_id desc);
    create index conversations_buyer on conversations (buyer_id, last_message_id desc);
    create index conversations_created on conversations (created_at);

    create table messages (
      id bigint generated always as identity (start with 10001) primary key,
      conversation_id bigint not null references conversations,
      ad_id bigint not null references ads,
      sender_id bigint not null references users,
      receiver_id bigint not null references users,
      content text not null check (char_length(content) between 1 and 2000),
      is_read boolean not null default false,
      created_at timestamptz not null default now(),
      check (sender_id <> receiver_id)
    );
    create index messages_conversation on messages (conversation_id, id desc);
    create index messages_unread on messages (receiver_id, conversation_id) where not is_read;
    create index messages_sender on messages (sender_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table messages, conversations, favorites');
}
