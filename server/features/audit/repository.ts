import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import { type Actor, getTokenId, getUserId } from '../../policy.ts';

export interface AuditEntry {
  action: string;
  target?: readonly [type: string, id?: string];
  details?: Record<string, unknown>;
  requestId?: string;
}

export interface AuditContext {
  requestId?: string;
  reason?: string | undefined;
}

/** What a program did, its access token names. */
export async function recordAudit(trx: Trx, actor: Actor, entry: AuditEntry): Promise<void> {
  const [targetType = null, targetId = null] = entry.target ?? [];
  const byToken = getTokenId(actor);
  await trx('audit_log').insert({
    actor_id: getUserId(actor),
    actor: actor.kind === 'operator' ? actor.name : actor.kind,
    action: entry.action,
    target_type: targetType,
    target_id: targetId,
    details: JSON.stringify({ ...entry.details, byToken }),
    request_id: entry.requestId ?? null,
  });
}

export type AuditRow = Tables['audit_log'];

export interface AuditFilter extends Paging {
  since?: string | undefined;
  until?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
}

export const listAudit = (db: Db, filter: AuditFilter): Promise<Page<AuditRow>> => {
  const { since, until, actor, action, target } = filter;
  const query = db('audit_log');
  if (since) query.where('at', '>=', since);
  if (until) query.where('at', '<', until);
  if (actor) query.whereRaw('starts_with(actor, ?)', [actor]);
  if (action) query.whereRaw("(action = ? or starts_with(action, ? || '.'))", [action, action]);
  if (target) query.where('target_id', target);
  return readPage(query, filter);
};
