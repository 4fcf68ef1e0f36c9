// The rules about offers, reservations, deals and conversations that the rows of the database keep at every moment.
import type { Db } from '../../server/db/pools.ts';

const SHUT_OUT = (user: string) =>
  `(${user}.banned_at is not null or ${user}.deleted_at is not null or coalesce(${user}.suspended_until > now(), false))`;
const APART = (a: string, b: string) => `(${SHUT_OUT(a)} or ${SHUT_OUT(b)} or exists (
  select from blocks where blocker_id in (${a}.id, ${b}.id) and blocked_id in (${a}.id, ${b}.id)))`;

/** Each statement lists the rows that break its rule. */
const VIOLATIONS: Record<string, string> = {
  'two open offers in a conversation': `select conversation_id from offers
    where ad_id = any(:ads) and status = 'open' group by 1 having count(*) > 1`,
  'an open offer about an ad that is sold or deleted': `select o.id from offers o join ads a on a.id = o.ad_id
    where a.id = any(:ads) and o.status = 'open' and (a.is_sold or a.state = 'deleted')`,
  'an open offer between people who may not write to each other': `select o.id from offers o
    join users m on m.id = o.maker_id join users r on r.id = o.receiver_id
    where o.ad_id = any(:ads) and o.status = 'open' and o.expires_at > now() and ${APART('m', 'r')}`,
  'an offer that is not of the two people of its conversation': `select o.id from offers o
    join conversations c on c.id = o.conversation_id join messages m on m.id = o.message_id
    where o.ad_id = any(:ads) and ((o.maker_id, o.receiver_id) not in
      ((c.seller_id, c.buyer_id), (c.buyer_id, c.seller_id)) or m.sender_id <> o.maker_id
      or m.receiver_id <> o.receiver_id or m.conversation_id <> c.id or c.ad_id <> o.ad_id)`,
  'an offer whose status does not fit its dates': `select id from offers where ad_id = any(:ads) and (
    (status = 'open') <> (settled_at is null) or settled_at < created_at or (status = 'expired' and settled_at < expires_at)
    or (status in ('accepted', 'declined', 'countered', 'withdrawn') and settled_at >= expires_at))`,
  'a reservation of an ad that is sold or deleted': `select a.id from reservations r join ads a on a.id = r.ad_id
    where a.id = any(:ads) and (a.is_sold or a.state = 'deleted')`,
  'a reservation of people who may not write to each other': `select r.ad_id from reservations r
    join ads a on a.id = r.ad_id join users s on s.id = a.user_id join users b on b.id = r.user_id
    where a.id = any(:ads) and r.ends_at > now() and ${APART('s', 'b')}`,
  'a reservation for a person who has not written': `select r.ad_id from reservations r where ad_id = any(:ads)
    and not exists (select from conversations c where c.ad_id = r.ad_id and c.buyer_id = r.user_id)`,
  'a current deal about an ad that is for sale': `select d.id from deals d join ads a on a.id = d.ad_id
    where a.id = any(:ads) and d.closed_at is null and not a.is_sold and a.state <> 'deleted'`,
  'two current deals of an ad': `select ad_id from deals where ad_id = any(:ads) and closed_at is null
    group by 1 having count(*) > 1`,
  'a closed deal without a rating': `select id from deals d where ad_id = any(:ads) and closed_at is not null
    and not exists (select from ratings r where r.deal_id = d.id)`,
  'a deal whose people are not the seller and a writer': `select d.id from deals d join ads a on a.id = d.ad_id
    where a.id = any(:ads) and (d.seller_id <> a.user_id or not exists (
      select from conversations c where c.ad_id = a.id and c.buyer_id = d.buyer_id))`,
  'a rating that is revealed too early, or hidden although both have rated': `select r.id from ratings r
    join deals d on d.id = r.deal_id where d.ad_id = any(:ads) and (
      (r.revealed_at is not null and d.ends_at > now() and (select count(*) from ratings o where o.deal_id = d.id) < 2)
      or (r.revealed_at is null and (select count(*) from ratings o where o.deal_id = d.id) = 2))`,
  'a conversation whose counts are wrong': `select c.id from conversations c where c.ad_id = any(:ads)
    and (c.message_count <> (select count(*) from messages m where m.conversation_id = c.id)
      or c.last_message_id is distinct from (select max(m.id) from messages m where m.conversation_id = c.id))`,
};
const ALL = Object.entries(VIOLATIONS)
  .map(([rule, sql]) => `select '${rule}' as rule, id::text from (${sql}) broken(id)`)
  .join(' union all ');

export interface Violation {
  rule: string;
  /** Of the row that breaks it. */
  id: string;
}

export const findViolations = async (db: Db, adIds: readonly string[]): Promise<Violation[]> => {
  const { rows } = await db.raw<{ rows: Violation[] }>(ALL, { ads: [...adIds] });
  return rows;
};
