import type { AdminUser } from '../../../../contract/admin.ts';
import { Badge } from '../../ui/badge.tsx';

export const UserStatus = ({ user }: { user: AdminUser }) =>
  user.isBanned ? <Badge variant="warning">Banned</Badge> : <Badge variant="success">Active</Badge>;
