import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import { selectShutOut } from '../users/repository.ts';

export type WebhookRow = Tables['webhooks'];

/** The user's webhooks, or with null those of the marketplace; newest first. */
export const listWebhooks = (db: Db, userId: string | null): Promise<WebhookRow[]> =>
  db<WebhookRow>('webhooks').where({ user_id: userId }).orderBy('id', 'desc');

/** Of everybody, for operators. */
export const listAllWebhooks = (db: Db, paging: Paging): Promise<Page<WebhookRow & { username: string | null }>> =>
  readPage(db('webhooks as w').leftJoin('users as u', 'u.id', 'w.user_id').select('w.*', 'u.username'), paging, {
    column: 'w.id',
  });

/** How many webhooks have a secret that each key encrypted. */
export const listSecretKeys = (db: Db): Promise<{ keyId: string; count: number }[]> =>
  db('webhooks').groupBy('key_id').select('key_id as keyId', db.raw('count(*)::int as count'));

export const findWebhook = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  db<WebhookRow>('webhooks').where({ id }).first();

export const lockWebhook = (trx: Trx, id: string): Promise<WebhookRow | undefined> =>
  trx<WebhookRow>('webhooks').where({ id }).forUpdate().first();

/** One transaction at a time adds a webhook of the marketplace, so that their number can be limited. */
export const lockSiteWebhooks = (trx: Trx): Promise<unknown> =>
  trx.raw("select pg_advisory_xact_lock(hashtext('webhooks of the marketplace'))");

/** The id of a webhook that is inserted next. */
export const takeWebhookId = async (trx: Trx): Promise<string> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    "select nextval(pg_get_serial_sequence('webhooks', 'id')) as id",
  );
  return rows[0]!.id;
};

export type NewWebhookRow = Pick<
  WebhookRow,
  'id' | 'user_id' | 'url' | 'host' | 'events' | 'format' | 'secret' | 'key_id'
>;

export const insertWebhook = async (trx: Trx, webhook: NewWebhookRow): Promise<WebhookRow> => {
  const [row] = await trx<WebhookRow>('webhooks').insert(webhook).returning('*');
  return row!;
};

export type WebhookChange = Partial<Omit<WebhookRow, 'id' | 'user_id' | 'created_at'>>;

export const updateWebhook = async (trx: Trx, id: string, change: WebhookChange): Promise<WebhookRow> => {
  const [row] = await trx<WebhookRow>('webhooks').where({ id }).update(change).returning('*');
  return row!;
};

export const deleteWebhook = async (trx: Trx, id: string): Promise<void> => {
  await trx('webhooks').where({ id }).delete();
};

/** A delivery arrived: these webhooks work. */
export const noteArrivals = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  await trx.raw(
    `update webhooks set failing_since = null, held_until = null
     where id = any(?::bigint[]) and (failing_since is not null or held_until is not null)`,
    [[...ids]],
  );
};

export interface WebhookFailure {
  id: string;
  /** How long the receiver wants no request. */
  holdMs: number | null;
  isGone: boolean;
}

/**
 * A delivery failed. Switches off what answered that it is gone, or has failed for `days`. Returns those that this switched
 * off.
 */
export const noteFailures = async (
  trx: Trx,
  failures: readonly WebhookFailure[],
  days: number,
): Promise<Pick<WebhookRow, 'id' | 'user_id' | 'host' | 'off_reason'>[]> => {
  const { rows } = await trx.raw<{ rows: Pick<WebhookRow, 'id' | 'user_id' | 'host' | 'off_reason'>[] }>(
    `with failed as (
       select id, max("holdMs") as hold, bool_or("isGone") as is_gone
       from json_to_recordset(:failures) as f (id bigint, "holdMs" float8, "isGone" boolean) group by id
     ), noted as (
       update webhooks w set failing_since = coalesce(w.failing_since, now()),
         held_until = greatest(w.held_until, now() + f.hold * interval '1 millisecond'),
         is_on = w.is_on and not (f.is_gone or coalesce(w.failing_since < now() - :days * interval '1 day', false)),
         off_reason = case when not w.is_on then w.off_reason when f.is_gone then 'gone'
           when w.failing_since < now() - :days * interval '1 day' then 'failing' end
       from failed f, webhooks before where w.id = f.id and before.id = w.id
       returning w.id, w.user_id, w.host, w.off_reason, before.is_on and not w.is_on as is_switched_off)
     select id, user_id, host, off_reason from noted where is_switched_off`,
    { failures: JSON.stringify(failures), days },
  );
  return rows;
};

/** Whom a notice about the marketplace's webhooks goes to. */
export const listAdministrators = (db: Db): Promise<string[]> =>
  db('users as u')
    .where({ role: 'admin', deleted_at: null })
    .whereRaw(`not ${selectShutOut('u')}`)
    .orderBy('id')
    .pluck('id');
