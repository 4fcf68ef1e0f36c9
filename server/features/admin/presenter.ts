import type { AdminUser } from '../../../contract/admin.ts';
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
  lastSeenAt: row.last_seen_at,
  canLinkOut: row.can_link_out,
  isUpdatePending: row.ads_pending,
});
