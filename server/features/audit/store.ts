import type { Trx } from '../../db/connect.ts';
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

/** Records an act of the administration, in the transaction of the act itself. */
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
