import { toMediaUrl } from '../../../contract/image-variants.ts';
import type { User } from '../../../contract/user.ts';
import type { UserRow } from '../../db/rows.ts';
import type { PublicUserRow } from './repository.ts';

export const presentUser = (row: PublicUserRow & Partial<Pick<UserRow, 'deleted_at'>>): User => ({
  id: row.id,
  username: row.username,
  displayName: row.display_name,
  ...(row.deleted_at && { isDeleted: true }),
  avatar: row.avatar_sha256 && toMediaUrl(row.avatar_sha256.toString('hex'), 'thumb'),
  isVerified: row.is_verified,
  isPremium: row.is_premium,
  xAccountCreated: row.x_account_created,
  joinDate: row.created_at,
  createdAt: row.created_at,
  ...(row.rated_deals > 0 && {
    rating: { deals: row.rated_deals, positive: Math.round((row.rated_good / row.rated_deals) * 100) },
  }),
  ...(row.answer_minutes !== null && { answerMinutes: row.answer_minutes }),
});
