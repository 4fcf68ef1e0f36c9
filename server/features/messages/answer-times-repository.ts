import type { Db } from '../../db/pools.ts';

/** How long `seller` usually takes to answer a first message: the median of the last 20 first answers, of 5 at least. */
const MINUTES = `
  select case when count(*) >= 5
    then ceil(percentile_cont(0.5) within group (order by seconds) / 60)::int end as minutes
  from (
    select extract(epoch from answer.created_at - begun.created_at) as seconds
    from (
      select id, created_at from conversations where seller_id = seller.id order by last_message_id desc limit 100
    ) begun
    cross join lateral (
      select created_at from messages where conversation_id = begun.id and sender_id = seller.id order by id limit 1
    ) answer
    order by answer.created_at desc limit 20
  ) answers`;

/** Sellers who wrote within the last two days: the times of the others are as they were. */
export const listAnsweringSellers = (db: Db): Promise<string[]> =>
  db('messages as m')
    .join('conversations as c', (on) => on.on('c.id', 'm.conversation_id').on('c.seller_id', 'm.sender_id'))
    .whereRaw("m.created_at > now() - interval '2 days'")
    .distinct()
    .orderBy('c.seller_id')
    .pluck('c.seller_id');

/** Writes how long each of these sellers usually takes. */
export const updateAnswerTimes = async (db: Db, sellerIds: readonly string[]): Promise<void> => {
  await db.raw(
    `update users u set answer_minutes = usual.minutes
     from unnest(?::bigint[]) as seller (id) cross join lateral (${MINUTES}) usual
     where u.id = seller.id and u.deleted_at is null and u.answer_minutes is distinct from usual.minutes`,
    [[...sellerIds]],
  );
};
