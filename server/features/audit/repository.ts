import { type Page, parseCursor, toPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Actor } from '../../policy.ts';

export interface AuditEntry {
  action: string;
  targetType?: string;
  targetId?: string;
  details?: Record<string, unknown>;
  requestId?: string;
}

export interface AuditContext {
  requestId?: string;
  reason?: string | undefined;
}

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
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

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
