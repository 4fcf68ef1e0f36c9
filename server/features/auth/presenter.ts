import type { Me } from '../../../contract/user.ts';
import { isSuspended } from '../../policy.ts';
import { sayName } from '../users/names.ts';
import { presentUser } from '../users/presenter.ts';
import type { MeRow } from './repository.ts';

/** In the language that is spoken now. */
export const presentMe = (row: MeRow, now: Date): Me => ({
  ...presentUser(row),
  displayName: sayName(row),
  role: row.role,
  email: row.email,
  twitterId: row.x_id,
  canLinkOut: row.can_link_out,
  hasPassword: row.has_password,
  suspendedUntil: isSuspended(row, now) ? row.suspended_until : null,
});
