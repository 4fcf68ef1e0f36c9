import { Ban, Eye, UserRoundX, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type AdminUser, deleteUser, listAdminUsers, unbanUser } from '../../../../contract/admin.ts';
import type { Me } from '../../../../contract/user.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { formatDate, formatTimeAgo, pluralize } from '../../lib/format.ts';
import { Avatar, SellerBadges } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge, Details } from '../../ui/card.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { AdminTable, RowAction, useAdminFilter } from './admin-table.tsx';
import { BanDialog, useAdminAction } from './moderation.tsx';

const STATUSES = { '': 'All users', active: 'Active', banned: 'Banned' };

export const UsersTab = ({ me }: { me: Me }) => {
  const fields = useAdminFilter<'active' | 'banned'>();
  const [shown, setShown] = useState<AdminUser>();
  const [toBan, setToBan] = useState<AdminUser>();
  const query = { ...fields.query, status: fields.filter || undefined };
  const list = useInfiniteApiQuery(listAdminUsers, { query }, { keepPreviousData: true });

  const columns: Column<AdminUser>[] = [
    { title: 'User', cell: (user) => <UserCell user={user} /> },
    { title: 'Email', labelled: true, cell: (user) => user.email ?? 'N/A', className: 'break-all' },
    { title: 'Joined', labelled: true, cell: (user) => formatDate(user.joinDate), className: 'whitespace-nowrap' },
    { title: 'Ads posted', labelled: true, cell: (user) => pluralize(user.adCount, 'ad') },
    { title: 'Status', labelled: true, cell: (user) => <UserStatus user={user} /> },
    {
      title: 'Actions',
      cell: (user) => (
        <div className="flex gap-1">
          <RowAction icon={Eye} label={`View details of ${user.displayName}`} onClick={() => setShown(user)} />
          {user.isBanned || user.id === me.id ? null : (
            <RowAction icon={Ban} label={`Ban ${user.displayName}`} onClick={() => setToBan(user)} />
          )}
        </div>
      ),
    },
  ];

  return (
    <>
      <AdminTable
        noun="users"
        list={list}
        columns={columns}
        fields={fields}
        searchPlaceholder="Search users"
        filterLabels={STATUSES}
        emptyIcon={query.search || query.status ? UserRoundX : Users}
      />
      <UserDialog
        user={list.items?.find((user) => user.id === shown?.id) ?? shown}
        isMe={shown?.id === me.id}
        onBan={setToBan}
        onClose={() => setShown(undefined)}
      />
      <BanDialog user={toBan} onClose={() => setToBan(undefined)} />
    </>
  );
};

const UserCell = ({ user }: { user: AdminUser }) => (
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

const UserStatus = ({ user }: { user: AdminUser }) => (
  <>
    {user.isBanned ? <Badge variant="warning">Banned</Badge> : <Badge variant="success">Active</Badge>}
    {user.isUpdatePending ? <span className="block text-xs text-muted-foreground">Update under way</span> : null}
  </>
);

interface UserDialogProps {
  user: AdminUser | undefined;
  isMe: boolean;
  onBan: (user: AdminUser) => void;
  onClose: () => void;
}

const UserDialog = ({ user, isMe, onBan, onClose }: UserDialogProps) => (
  <Dialog open={user !== undefined} onOpenChange={onClose} title="User details" className="sm:max-w-xl">
    {user ? (
      <>
        <UserCell user={user} />
        <Details
          rows={[
            ['Status', <UserStatus key="status" user={user} />],
            ['Ban reason', user.isBanned ? (user.banReason ?? 'None given') : null],
            ['Role', user.role === 'admin' ? 'Administrator' : 'User'],
            ['Email', user.email ?? 'N/A'],
            ['X id', user.twitterId],
            ['Joined', formatDate(user.joinDate)],
            ['X account created', user.xAccountCreated ? formatDate(user.xAccountCreated) : null],
            ['Last seen', user.lastSeenAt ? formatTimeAgo(user.lastSeenAt) : 'Never'],
            ['Ads posted', pluralize(user.adCount, 'ad')],
            ['External links', user.canLinkOut ? 'Allowed' : null],
          ]}
        />
        <UserActions user={user} isMe={isMe} onBan={onBan} onClose={onClose} />
      </>
    ) : null}
  </Dialog>
);

const UserActions = ({ user, isMe, onBan, onClose }: UserDialogProps & { user: AdminUser }) => {
  const [isDeleting, setDeleting] = useState(false);
  const toast = useToast();
  const unban = useAdminAction(unbanUser, { done: 'User unbanned successfully', failed: 'Failed to unban user' });
  const remove = useAdminAction(deleteUser, { done: 'User deleted successfully', failed: 'Failed to delete user' });
  const params = { id: user.id };

  const handleDelete = async () => {
    if (await remove({ params })) onClose();
  };
  const handleMessage = () =>
    toast({
      title: 'Feature Coming Soon',
      description: 'Admin messaging functionality will be available in a future update.',
    });

  return (
    <div className="flex flex-wrap gap-2">
      {user.username ? (
        <Button asChild variant="outline">
          <Link to={`/users/${user.username}`}>View profile</Link>
        </Button>
      ) : null}
      <Button variant="outline" onClick={handleMessage}>
        Send Message
      </Button>
      {isMe ? null : user.isBanned ? (
        <Button variant="outline" onClick={() => void unban({ params })}>
          Unban User
        </Button>
      ) : (
        <Button variant="destructive" onClick={() => onBan(user)}>
          Ban User
        </Button>
      )}
      {isMe ? null : (
        <Button variant="destructive" onClick={() => setDeleting(true)}>
          Delete User
        </Button>
      )}
      <AlertDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={`Delete ${user.displayName}`}
        text={`Are you sure you want to delete ${user.displayName}? Profile, ads, pictures and favorites are removed; messages stay for the other party. This action cannot be undone.`}
        confirmLabel="Delete User"
        onConfirm={() => void handleDelete()}
      />
    </div>
  );
};
