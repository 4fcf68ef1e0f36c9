import type { Settings } from '../../../contract/admin.ts';
import type { Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import { DEFAULT_SETTINGS } from '../settings/repository.ts';

/** Serializes the new ads of one seller, so that two at once are counted and compared like two in succession. */
export const lockNewAds = async (trx: Trx, sellerId: string): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtextextended('new ads of ' || ?, 0))", [sellerId]);
};

/** When the seller's ads of the last day were posted. Deleted ads count. */
export const listNewAdTimes = async (trx: Trx, sellerId: string): Promise<string[]> => {
  const rows = await queryPrepared<{ created_at: string }>(
    trx,
    `select created_at from ads
     where user_id = :sellerId and state <> 'deleted' and created_at > now() - interval '1 day'
     union all
     select created_at from ads
     where user_id = :sellerId and state = 'deleted' and created_at > now() - interval '1 day'`,
    { sellerId },
  );
  return rows.map(({ created_at }) => created_at);
};

/** Older ads of a seller are not compared: the time of a comparison would grow with them. */
const COMPARED = 2000;

export interface SimilarAd {
  id: string;
  /** Share of trigrams in common. */
  similarity: number;
  title: string;
  description: string;
}

/** The seller's unsold ads in this state that have about as many trigrams as given. */
const selectOfLength = (state: 'active' | 'paused'): string =>
  `select id, title, description from ads
   where user_id = :sellerId and state = '${state}' and cardinality(show_trgm(title || ' ' || description))
       between (select floor(0.8 * trigrams)::int from given) and (select ceil(trigrams / 0.8)::int from given)
     and not is_sold and (expires_at is null or expires_at > now())`;

/**
 * The seller's ads on the market, and those that they paused, whose title and description have eight of ten trigrams in
 * common with these. Their numbers of trigrams differ by a fifth at most, which the index ads_by_trigrams has for the
 * active ones. Paused ones count because they come back without being compared again.
 */
export const listSimilarAds = (
  trx: Trx,
  sellerId: string,
  { title, description }: { title: string; description: string },
): Promise<SimilarAd[]> =>
  queryPrepared<SimilarAd>(
    trx,
    `with given as materialized (select cardinality(show_trgm(:text)) as trigrams)
     select id, title, description, similarity(title || ' ' || description, :text) as similarity from (
       ${selectOfLength('active')} union all ${selectOfLength('paused')}
       order by id desc limit ${COMPARED}) own
     where similarity(title || ' ' || description, :text) >= 0.8::real order by id desc`,
    { sellerId, text: `${title} ${description}` },
  );

export interface NewMessage {
  receiverId: string;
  adId: string;
  /** Of `hashText`; null for an offer or photos without a text, which anyone may repeat. */
  textHash: Buffer | null;
  /** Whether it begins a conversation. */
  isFirst: boolean;
}

export interface SenderSituation {
  settings: Settings;
  /** When the sender started conversations about other ads within the last hour. */
  startedAt: string[];
  /** When other people received the same text from the sender within the last hour, once a person. */
  sameTextAt: string[];
}

/**
 * What the limits of a message depend on. The statement sees every committed message, because the sender's lock of
 * `lockMessagingContext` was taken before it.
 */
export const readSenderSituation = async (
  trx: Trx,
  { senderId, receiverId, adId, textHash, isFirst }: NewMessage & { senderId: string },
): Promise<SenderSituation> => {
  const [row] = await queryPrepared<{ value: Settings | null; started_at: string[]; same_text_at: string[] }>(
    trx,
    `select
       (select value from settings where key = 'platform') as value,
       (select coalesce(json_agg(created_at), '[]') from conversations
        where buyer_id = :starterId::bigint and ad_id <> :adId::bigint
          and created_at > now() - interval '1 hour') as started_at,
       (select coalesce(json_agg(last), '[]') from (
          select max(created_at) as last from messages
          where sender_id = :senderId::bigint and receiver_id <> :receiverId::bigint
            and created_at > now() - interval '1 hour'
            and text_hash = :textHash::bytea
          group by receiver_id) same) as same_text_at`,
    // who continues a conversation starts none
    { senderId, receiverId, adId, textHash, starterId: isFirst ? senderId : '0' },
  );
  return {
    settings: { ...DEFAULT_SETTINGS, ...row!.value },
    startedAt: row!.started_at,
    sameTextAt: row!.same_text_at,
  };
};
