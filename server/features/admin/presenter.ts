import type { AdminUser } from '../../../contract/admin.ts';
import { isSuspended } from '../../policy.ts';
import { presentUser } from '../users/presenter.ts';
import type { AdminUserRow } from './repository.ts';

export const presentAdminUser = (row: AdminUserRow): AdminUser => ({
  ...presentUser(row),
  email: row.email,
  role: row.role,
  twitterId: row.x_id,
  adCount: Number(row.ad_count),
  isBanned: row.banned_at !== null,
  banReason: row.ban_reason,
  bannedAt: row.banned_at,
  suspendedUntil: isSuspended(row) ? row.suspended_until : null,
  lastSeenAt: row.last_seen_at,
  canLinkOut: row.can_link_out,
  isUpdatePending: row.ads_pending,
});
