import type { User } from '../../../../contract/user.ts';
import { SellerBadges } from '../../features/seller/seller-badges.tsx';
import { Avatar } from '../../ui/avatar.tsx';

/** Avatar, name, badges and handle in one line of a table. */
export const Person = ({ user }: { user: User }) => (
  <div className="flex min-w-0 items-center gap-3">
    <Avatar src={user.avatar} name={user.displayName} />
    <div className="min-w-0">
      <p className="flex items-center gap-1 font-medium">
        <bdi className="line-clamp-1 wrap-anywhere">{user.displayName}</bdi>
        <SellerBadges user={user} />
      </p>
      <p className="truncate text-sm text-muted-foreground">{user.username ? `@${user.username}` : 'No X account'}</p>
    </div>
  </div>
);
