import type { SubjectOf, WebhookEvent } from '../../../contract/webhooks.ts';
import type { Trx } from '../../db/pools.ts';
import type { PublishedAd } from '../ads/publications-repository.ts';
import { selectShutOut } from '../users/repository.ts';

/** What is stored of an event. Addresses and the currency are added when it is sent. */
export type StoredSubject<E extends WebhookEvent> = Omit<SubjectOf<E>, 'url' | 'currency'>;

type NewEvent = {
  [E in WebhookEvent]: {
    type: E;
    /** The person whose webhooks hear it; null: none. */
    userId: string | null;
    /** The webhooks of the marketplace hear it. */
    toSite?: boolean;
    data: StoredSubject<E>;
  };
}[WebhookEvent];

/** SQL: whether the webhook `w` gets events of its type `type`. `u`: the left-joined row of its person. */
const hears = (type: string): string =>
  `w.is_on and ${type} = any(w.events) and (u.id is null or u.deleted_at is null and not ${selectShutOut('u')})`;

/** Enqueues the job that sends what `added` inserted, without a key: transactions would wait for one another. */
const ENQUEUE = `select graphile_worker.add_job('send-webhooks', '{}') from added having count(*) > 0`;

/**
 * Notes events in the transaction that causes them: their deliveries exist if, and only if, that commits. The trigger
 * note_webhook_ads notes what happens to public ads.
 */
export const insertWebhookEvents = async (trx: Trx, events: readonly NewEvent[]): Promise<void> => {
  await trx.raw(
    `with added as (
       insert into webhook_deliveries (webhook_id, type, data)
       select w.id, e.type, e.data
       from json_to_recordset(?) as e (type text, "userId" bigint, "toSite" boolean, data jsonb)
       join webhooks w on w.user_id = e."userId" or (e."toSite" and w.user_id is null)
       left join users u on u.id = w.user_id
       where ${hears('e.type')} returning id)
     ${ENQUEUE}`,
    [JSON.stringify(events)],
  );
};

/** Notes that these ads became public for the first time, and which saved searches they match. */
export const insertPublicationEvents = async (trx: Trx, ads: readonly PublishedAd[]): Promise<void> => {
  await trx.raw(
    `with events as (
       select 'ad.listed' as type, a.user_id, true as to_site,
         jsonb_build_object('adId', a.id::text, 'sellerId', a.user_id::text) as data
       from ads a where a.id = any(:ids::bigint[])
       union all
       select 'search.matched', s.user_id, false,
         jsonb_build_object('searchId', s.id::text, 'adId', m.ad_id::text)
       from search_matches m join saved_searches s on s.id = m.search_id where m.ad_id = any(:ids::bigint[])
     ), added as (
       insert into webhook_deliveries (webhook_id, type, data)
       select w.id, e.type, e.data from events e
       join webhooks w on w.user_id = e.user_id or (e.to_site and w.user_id is null)
       left join users u on u.id = w.user_id
       where ${hears('e.type')} returning id)
     ${ENQUEUE}`,
    { ids: ads.map(({ id }) => id) } as never,
  );
};
