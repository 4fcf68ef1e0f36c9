import { isToMany, NOTIFICATION_KINDS, type NotificationKind } from '../../../contract/notifications.ts';
import { publish } from '../../db/events.ts';
import { type Page, type Paging, queryPage } from '../../db/pagination.ts';
import { countRowsBy, type Db, type Trx } from '../../db/pools.ts';
import type { AdRow } from '../../db/rows.ts';
import type { Tables } from '../../db/tables.ts';
import { selectBlocked, selectShutOut } from '../users/repository.ts';
import { type News, type NewsParams, toEnglish, type Words } from './news.ts';

/** What the team wrote. */
export type WrittenNotice = { kind: 'notice' } & Words;

export type NewNotification = (News | WrittenNotice) & {
  userId: string;
  /** Path of the page that the notification leads to. */
  url?: string;
  /** The user whose action this notification is about. A block between the two suppresses it. */
  sourceUserId?: string;
};

const toColumns = (content: News | WrittenNotice): Words & { kind: NotificationKind; params: NewsParams | null } =>
  'params' in content
    ? { kind: content.kind, params: content.params, ...toEnglish(content) }
    : { kind: content.kind, params: null, title: content.title, body: content.body };

/** Enqueues the job that decides where else the rows of `added` go: jobs/queue.ts has its name and payload. */
const ENQUEUE_DISPATCH = `
  select graphile_worker.add_job('dispatch-notifications', json_build_object('ids', json_agg(id::text)),
    priority := :priority) from added having count(*) > 0`;

/**
 * Notifies users in the transaction that causes it: the notifications exist if, and only if, that commits. Their open
 * pages show the new count at once; a job delivers them by mail and push. Deleted users get none, nor does a user whose
 * deletion this statement waits for.
 */
export const insertNotifications = async (trx: Trx, notifications: readonly NewNotification[]): Promise<void> => {
  if (notifications.length === 0) return;
  await trx.raw(
    `with added as (
       insert into notifications (user_id, kind, params, title, body, url, source_user_id)
       select u.id, kind, params, title, body, url, "sourceUserId"
       from json_to_recordset(:notifications) as new
         ("userId" bigint, kind text, params jsonb, title text, body text, url text, "sourceUserId" bigint)
       join users u on u.id = "userId" and u.deleted_at is null
       where "sourceUserId" is null or not ${selectBlocked('u.id', '"sourceUserId"')}
       for key share of u
       returning id)
     ${ENQUEUE_DISPATCH}`,
    {
      notifications: JSON.stringify(
        notifications.map(({ userId, url, sourceUserId, ...content }) => ({
          userId,
          url,
          sourceUserId,
          ...toColumns(content),
        })),
      ),
      priority: 0,
    },
  );
  await publishCounts(
    trx,
    notifications.map(({ userId }) => userId),
  );
};

export const insertNotification = (trx: Trx, notification: NewNotification): Promise<void> =>
  insertNotifications(trx, [notification]);

/** Inserts a notification that no job delivers. Returns its id. */
export const insertWithoutDelivery = async (
  trx: Trx,
  { userId, url = null, ...news }: News & { userId: string; url?: string | null },
): Promise<string> => {
  const [row] = await trx('notifications')
    .insert({ user_id: userId, url, ...toColumns(news) })
    .returning<{ id: string }[]>('id');
  await publishCounts(trx, [userId]);
  return row!.id;
};

export type OwnedNotification = Pick<
  Tables['notifications'],
  'id' | 'user_id' | 'kind' | 'params' | 'title' | 'body' | 'url'
>;

export const findNotification = (db: Db, id: string): Promise<OwnedNotification | undefined> =>
  db('notifications').where({ id }).first('id', 'user_id', 'kind', 'params', 'title', 'body', 'url');

/** One notification for many people. */
export type SharedNotification = (News | WrittenNotice) & {
  url?: string;
  sourceUserId?: string;
  /** Each receiver gets this notice once. */
  noticeId?: string;
  /** Of the job that delivers them; default 0. */
  priority?: number;
};

/** Like insertNotifications, with the same content for all. */
export const insertForMany = async (
  trx: Trx,
  userIds: readonly string[],
  { url, sourceUserId, noticeId, priority = 0, ...content }: SharedNotification,
): Promise<void> => {
  if (userIds.length === 0) return;
  const { params, ...columns } = toColumns(content);
  await trx.raw(
    `with added as (
       insert into notifications (user_id, kind, params, title, body, url, source_user_id, notice_id)
       select u.id, :kind, :params::jsonb, :title, :body, :url::text, :sourceUserId::bigint, :noticeId::bigint
       from users u where u.id = any(:userIds::bigint[]) and u.deleted_at is null
         and (:sourceUserId::bigint is null or not ${selectBlocked('u.id', ':sourceUserId::bigint')})
       order by u.id for key share of u
       on conflict (notice_id, user_id) where notice_id is not null do nothing
       returning id)
     ${ENQUEUE_DISPATCH}`,
    {
      userIds: [...userIds],
      ...columns,
      params: params && JSON.stringify(params),
      url: url ?? null,
      sourceUserId: sourceUserId ?? null,
      noticeId: noticeId ?? null,
      priority,
    },
  );
  await publishCounts(trx, userIds);
};

/** Several users become one event: every replica then counts for all its open streams in one query. */
export const publishCounts = async (trx: Trx, userIds: readonly string[]): Promise<void> => {
  const [userId, ...others] = new Set(userIds);
  if (userId !== undefined) await publish(trx, 'notifications', others.length > 0 ? null : { userId });
};

export type NotificationRow = Omit<Tables['notifications'], 'user_id' | 'notice_id' | 'source_user_id'>;

/** A notification with what decides whether its link leads to a page. */
interface ListedNotification extends NotificationRow {
  /** The page of the user whose action it is about, who is banned or suspended. */
  closed_profile: string | null;
  leads_to_ad: boolean;
  /** The ad that it leads to, if that exists. */
  ad: Pick<AdRow, 'user_id' | 'state' | 'seller_banned'> | null;
}

/** The id in `url` if that is the page of an ad. */
const AD_ID = `case when url ~ '^/ads/[0-9]{1,18}$' then substring(url from 6)::bigint end`;

/**
 * Ads of a banned or suspended seller, which the seller's followers and others were notified of, are not shown while the
 * ad is hidden. What concerns a deal or a conversation of the receiver stays.
 */
const IS_SHOWN = `not (kind in (${NOTIFICATION_KINDS.filter(isToMany)
  .map((kind) => `'${kind}'`)
  .join(', ')}) and exists (
    select from users gone where gone.id = source_user_id and ${selectShutOut('gone')}))`;

export const listNotifications = (db: Db, userId: string, paging: Paging): Promise<Page<ListedNotification>> => {
  const sql = `select id, kind, params, title, body, url, is_read, created_at,
      (select '/users/' || username from users gone where gone.id = source_user_id and ${selectShutOut('gone')})
        as closed_profile,
      ${AD_ID} is not null as leads_to_ad,
      (select json_build_object('user_id', a.user_id::text, 'state', a.state, 'seller_banned', ${selectShutOut('seller')})
       from ads a join users seller on seller.id = a.user_id and seller.deleted_at is null
       where a.id = ${AD_ID}) as ad
    from notifications where user_id = :userId and ${IS_SHOWN}`;
  return queryPage(db, [sql, { userId }], paging);
};

export const countUnreadNotifications = (db: Db, userIds: readonly string[]): Promise<Map<string, number>> =>
  countRowsBy(db('notifications').where({ is_read: false }).whereRaw(IS_SHOWN), 'user_id', userIds);

export const markRead = async (trx: Trx, id: string, userId: string): Promise<'marked' | 'read' | 'not found'> => {
  const { rows } = await trx.raw<{ rows: { was_read: boolean }[] }>(
    `with own as (select id, is_read from notifications where id = :id and user_id = :userId for update),
       marked as (update notifications set is_read = true where id in (select id from own where not is_read))
     select is_read as was_read from own`,
    { id, userId },
  );
  if (rows[0] === undefined) return 'not found';
  return rows[0].was_read ? 'read' : 'marked';
};

/**
 * Marks notifications of these kinds as read that lead to paths beginning with `path`: their subject is settled. Open
 * pages show the new count.
 */
export const markSubjectRead = async (
  trx: Trx,
  userId: string,
  { kinds, path }: { kinds: readonly NotificationKind[]; path: string },
): Promise<void> => {
  const changed = await trx('notifications')
    .where({ user_id: userId, is_read: false })
    .whereIn('kind', kinds)
    .whereRaw('starts_with(url, ?)', [path])
    .update({ is_read: true });
  if (changed > 0) await publishCounts(trx, [userId]);
};

/** Returns how many were unread. */
export const markAllRead = async (trx: Trx, userId: string, upTo: string): Promise<number> =>
  trx('notifications').where({ user_id: userId, is_read: false }).where('id', '<=', upTo).update({ is_read: true });

/** Deletes notifications about what this user did, at most `limit`, and returns how many. */
export const deleteNotificationsAbout = async (trx: Trx, userId: string, limit: number): Promise<number> => {
  const ids = await trx('notifications').where({ source_user_id: userId }).limit(limit).pluck('id');
  return trx('notifications').whereIn('id', ids).delete();
};

/** Ids of deleted users about whom there still are notifications. */
export const listDeletedSources = (db: Db): Promise<string[]> =>
  db('notifications')
    .whereIn('source_user_id', db('users').whereNotNull('deleted_at').select('id'))
    .distinct()
    .pluck('source_user_id');
