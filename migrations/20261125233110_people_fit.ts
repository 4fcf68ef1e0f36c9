import type { Knex } from 'knex';

/**
 * The seller of a conversation or deal is the one of its ad. Who buys, or has a reservation, wrote about the ad. An offer is
 * about the ad of its conversation. The keys of ads and conversations are constraints, because a bulk load drops indexes. Not
 * valid: the next migration checks the rows that exist.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table ads add constraint ads_seller_key unique using index ads_seller_key;
    alter table conversations add constraint conversations_ad_key unique using index conversations_ad_key;
    alter table conversations add constraint conversations_seller
      foreign key (ad_id, seller_id) references ads (id, user_id) not valid;
    alter table deals
      add constraint deals_seller foreign key (ad_id, seller_id) references ads (id, user_id) not valid,
      add constraint deals_buyer foreign key (ad_id, buyer_id) references conversations (ad_id, buyer_id) not valid;
    alter table reservations add constraint reservations_writer
      foreign key (ad_id, user_id) references conversations (ad_id, buyer_id) not valid;
    alter table offers add constraint offers_conversation
      foreign key (conversation_id, ad_id) references conversations (id, ad_id) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table conversations drop constraint conversations_seller;
    alter table deals drop constraint deals_seller, drop constraint deals_buyer;
    alter table reservations drop constraint reservations_writer;
    alter table offers drop constraint offers_conversation;
    alter table conversations drop constraint conversations_ad_key;
    alter table ads drop constraint ads_seller_key;
  `);
}
