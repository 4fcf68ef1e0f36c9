import type { Me } from '../../../contract/user.ts';
import { presentUser } from '../users/presenter.ts';
import type { MeRow } from './repository.ts';

/** The signed-in person, to themselves. */
export const presentMe = (row: MeRow): Me => ({
  ...presentUser(row),
  role: row.role,
  email: row.email,
  twitterId: row.x_id,
  canLinkOut: row.can_link_out,
  hasPassword: row.has_password,
});
