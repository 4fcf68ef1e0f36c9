import type { Trx } from '../../db/connect.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { UserRow } from '../../db/tables.ts';
import { type AdDetails, SELECT_ADS } from '../ads/select-store.ts';

const PERSON = [
  'id',
  'username',
  'display_name',
  'avatar',
  'is_verified',
  'is_premium',
  'x_account_created',
  'created_at',
  'banned_at',
  'deleted_at',
] as const;

/** What is decided and shown by of the people of a conversation. */
export type Person = Pick<UserRow, (typeof PERSON)[number]>;

/** Two people and an ad, held against change until the transaction ends, and their conversation if it has begun. */
export interface HeldSituation {
  sender: Person | undefined;
  other: Person | undefined;
  ad: AdDetails | undefined;
  conversationId: string | undefined;
}

type Row = AdDetails & { conversation: string | null } & { [K in keyof Person as `person_${K}`]: Person[K] };

// Users in order of id, then the ad: the ad waits for the count. A row that somebody is changing is read as it is after that.
const HOLD = `with people as materialized (
    select ${PERSON.join(', ')} from users where id in (:senderId::bigint, :receiverId::bigint) order by id for share
  ), ad as materialized (
    ${SELECT_ADS} where a.id = :adId::bigint and (select count(*) from people) > 0 for share of a
  )
  select ${PERSON.map((name) => `p.${name} as person_${name}`).join(', ')}, ad.*, c.id as conversation
  from people p
  left join ad on true
  left join conversations c on c.ad_id = ad.id and (c.seller_id, c.buyer_id) in
    ((:senderId::bigint, :receiverId::bigint), (:receiverId::bigint, :senderId::bigint))`;

const toPerson = (row: Row): Person =>
  Object.fromEntries(PERSON.map((name) => [name, row[`person_${name}`]])) as unknown as Person;

/** All that a message depends on, in one round trip. */
export const holdSituation = async (
  trx: Trx,
  { adId, senderId, receiverId }: { adId: string; senderId: string; receiverId: string },
): Promise<HeldSituation> => {
  const rows = await queryPrepared<Row>(trx, HOLD, { adId, senderId, receiverId });
  const people = new Map(rows.map((row) => [row.person_id, toPerson(row)]));
  const first = rows[0];
  return {
    sender: people.get(senderId),
    other: people.get(receiverId),
    ad: first?.id ? first : undefined,
    conversationId: first?.conversation ?? undefined,
  };
};
