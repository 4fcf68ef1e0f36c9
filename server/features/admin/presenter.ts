import type { AdminUser } from '../../../contract/admin.ts';
import { type Actor, isAdmin, isSuspended } from '../../policy.ts';
import { sayName } from '../users/names.ts';
import { presentUser } from '../users/presenter.ts';
import type { AdminUserRow } from './repository.ts';

/** A user for staff, in the language that is spoken now. Email address and X id are for administrators only. */
export const presentAdminUser = (row: AdminUserRow, actor: Actor, now: Date): AdminUser => ({
  ...presentUser(row),
  displayName: sayName(row),
  email: isAdmin(actor) ? row.email : null,
  role: row.role,
  twitterId: isAdmin(actor) ? row.x_id : null,
  adCount: Number(row.ad_count),
  isBanned: row.banned_at !== null,
  banReason: row.ban_reason,
  bannedAt: row.banned_at,
  suspendedUntil: isSuspended(row, now) ? row.suspended_until : null,
  lastSeenAt: row.last_seen_at,
  canLinkOut: row.can_link_out,
  isUpdatePending: row.ads_pending,
});
