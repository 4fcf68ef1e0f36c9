import { type Page, parseCursor, toPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Actor } from '../../policy.ts';

export interface AuditEntry {
  /** noun.verb: user.ban, ad.approve, settings.update. */
  action: string;
  targetType?: string;
  targetId?: string;
  /** What changed, before and after; never a secret. */
  details?: Record<string, unknown>;
  requestId?: string;
}

/** Where an act came from. */
export interface AuditContext {
  requestId?: string;
  /** An operator's reason; it is in the audit log only. */
  reason?: string | undefined;
}

/** Records an administrative action in the transaction of that action. */
export async function recordAudit(trx: Trx, actor: Actor, entry: AuditEntry): Promise<void> {
  await trx('audit_log').insert({
    actor_id: actor.kind === 'user' ? actor.id : null,
    actor: actor.kind === 'operator' ? actor.name : actor.kind,
    action: entry.action,
    target_type: entry.targetType ?? null,
    target_id: entry.targetId ?? null,
    details: JSON.stringify(entry.details ?? {}),
    request_id: entry.requestId ?? null,
  });
}

export interface AuditRow {
  id: string;
  at: string;
  actor: string;
  actor_id: string | null;
  action: string;
  target_type: string | null;
  target_id: string | null;
  details: Record<string, unknown>;
  request_id: string | null;
}

export interface AuditFilter {
  since?: string | undefined;
  until?: string | undefined;
  /** The beginning of the actor's name. */
  actor?: string | undefined;
  /** An action (user.ban) or a noun (user). */
  action?: string | undefined;
  target?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Administrative actions, newest first. */
export const listAudit = async (db: Db, filter: AuditFilter): Promise<Page<AuditRow>> => {
  const { since, until, actor, action, target, limit } = filter;
  const before = parseCursor(filter.cursor);
  const query = db<AuditRow>('audit_log')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (since) query.where('at', '>=', since);
  if (until) query.where('at', '<', until);
  if (actor) query.whereRaw('starts_with(actor, ?)', [actor]);
  if (action) query.whereRaw("(action = ? or starts_with(action, ? || '.'))", [action, action]);
  if (target) query.where('target_id', target);
  if (before) query.where('id', '<', before);
  return toPage((await query) as AuditRow[], limit, (row) => row.id);
};
