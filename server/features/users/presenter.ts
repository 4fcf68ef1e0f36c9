import type { User } from '../../../contract/user.ts';
import type { UserRow } from '../../db/rows.ts';

export type PublicUserRow = Pick<
  UserRow,
  | 'id'
  | 'username'
  | 'display_name'
  | 'avatar'
  | 'is_verified'
  | 'is_premium'
  | 'x_account_created'
  | 'created_at'
  | 'rated_deals'
  | 'rated_good'
>;

export const presentUser = (row: PublicUserRow): User => ({
  id: row.id,
  username: row.username,
  displayName: row.display_name,
  avatar: row.avatar,
  isVerified: row.is_verified,
  isPremium: row.is_premium,
  xAccountCreated: row.x_account_created,
  joinDate: row.created_at,
  createdAt: row.created_at,
  ...(row.rated_deals > 0 && {
    rating: { deals: row.rated_deals, positive: Math.round((row.rated_good / row.rated_deals) * 100) },
  }),
});
