import { beforeAll, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertCategories, insertEmptyConversation, insertUser } from '../../../test/harness/factories.ts';

const {
  app: { db },
} = await openTestApp();
beforeAll(() => insertCategories({ db }));

const meet = async () => {
  const [seller, buyer, stranger] = [await insertUser({ db }), await insertUser({ db }), await insertUser({ db })];
  const { id: category_id } = await db('categories').first('id');
  const values = { user_id: seller.id, category_id, title: 'Lamp', description: 'Shines.', price: '5' };
  const [ad, otherAd] = await db('ads').insert([values, values], 'id');
  const people = { ad_id: ad.id, seller_id: seller.id, buyer_id: buyer.id };
  await insertEmptyConversation({ db }, people);
  const { id: conversation_id } = await db('conversations').where(people).first('id');
  return { people, conversation_id, otherAd, stranger };
};
type Met = Awaited<ReturnType<typeof meet>>;

const ends_at = db.raw("now() + interval '7 days'");
const offer = async ({ people, conversation_id }: Met, adId: string) => {
  const about = { ad_id: people.ad_id, conversation_id, sender_id: people.buyer_id, receiver_id: people.seller_id };
  const [{ id }] = await db('messages').insert({ ...about, content: 'An offer' }, 'id');
  const { sender_id, receiver_id } = about;
  const made = { message_id: id, conversation_id, ad_id: adId, maker_id: sender_id, receiver_id, amount: 4 };
  return db('offers').insert({ ...made, expires_at: ends_at });
};

test('conversations, offers, reservations and deals of people who fit together are accepted', async () => {
  const met = await meet();
  const { people } = met;
  await offer(met, people.ad_id);
  await db('reservations').insert({ ad_id: people.ad_id, user_id: people.buyer_id, ends_at });
  await db('deals').insert({ ...people, ends_at });
});

test.each<[string, (met: Met) => PromiseLike<unknown>]>([
  [
    'conversations_seller',
    ({ people, stranger }) =>
      db('conversations').insert({ ...people, seller_id: people.buyer_id, buyer_id: stranger.id }),
  ],
  ['deals_seller', ({ people, stranger }) => db('deals').insert({ ...people, seller_id: stranger.id, ends_at })],
  ['deals_buyer', ({ people, stranger }) => db('deals').insert({ ...people, buyer_id: stranger.id, ends_at })],
  [
    'reservations_writer',
    ({ people, stranger }) => db('reservations').insert({ ad_id: people.ad_id, user_id: stranger.id, ends_at }),
  ],
  ['offers_conversation', (met) => offer(met, met.otherAd.id)],
])('others are refused: %s', async (constraint, write) => {
  await expect(write(await meet())).rejects.toMatchObject({ code: '23503', constraint });
});
