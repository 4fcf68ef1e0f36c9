import { Ban, Eye, Megaphone, UserRoundX, Users } from 'lucide-react';
import { useState } from 'react';
import { type AdminUser, deleteUser, listAdminUsers, unbanUser } from '../../../../contract/admin.ts';
import { pluralize } from '../../../../contract/plural.ts';
import { type Me, ROLES } from '../../../../contract/user.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { formatDate, formatDateTime, formatTimeAgo } from '../../lib/format.ts';
import { Avatar, SellerBadges } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Badge, TermList } from '../../ui/card.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { AdminTable, RowAction, useAdminFilter } from './admin-table.tsx';
import { BanDialog, useAdminAction } from './moderation.tsx';
import { NoticeDialog } from './notice-dialog.tsx';
import { type UserDecision, UserDecisionDialog } from './user-decisions.tsx';

const STATUSES = { '': 'All users', active: 'Active', suspended: 'Suspended', banned: 'Banned' };
const ROLE_LABELS = { user: 'User', moderator: 'Moderator', admin: 'Administrator' };

/** As policy.mayActOn on the server. */
const mayActOn = (me: Me, user: AdminUser): boolean => ROLES.indexOf(me.role) > ROLES.indexOf(user.role);

export const UsersTab = ({ me }: { me: Me }) => {
  const fields = useAdminFilter<'active' | 'suspended' | 'banned'>();
  const [shown, setShown] = useState<AdminUser>();
  const [toBan, setToBan] = useState<AdminUser>();
  const [isWriting, setWriting] = useState(false);
  const isAdmin = me.role === 'admin';
  const query = { ...fields.query, status: fields.filter || undefined };
  const list = useInfiniteApiQuery(listAdminUsers, { query }, { keepPreviousData: true });

  const columns: Column<AdminUser>[] = [
    { title: 'User', cell: (user) => <UserCell user={user} /> },
    ...(isAdmin
      ? [{ title: 'Email', labelled: true, cell: (user: AdminUser) => user.email ?? 'N/A', className: 'break-all' }]
      : []),
    { title: 'Role', labelled: true, cell: (user) => ROLE_LABELS[user.role] },
    { title: 'Joined', labelled: true, cell: (user) => formatDate(user.joinDate), className: 'whitespace-nowrap' },
    { title: 'Ads posted', labelled: true, cell: (user) => pluralize(user.adCount, 'ad') },
    { title: 'Status', labelled: true, cell: (user) => <UserStatus user={user} /> },
    {
      title: 'Actions',
      cell: (user) => (
        <div className="flex gap-1">
          <RowAction icon={Eye} label={`View details of ${user.displayName}`} onClick={() => setShown(user)} />
          {!isAdmin || user.isBanned || !mayActOn(me, user) ? null : (
            <RowAction icon={Ban} label={`Ban ${user.displayName}`} onClick={() => setToBan(user)} />
          )}
        </div>
      ),
    },
  ];

  return (
    <>
      {isAdmin ? (
        <div className="mb-4 flex justify-end">
          <Button variant="outline" onClick={() => setWriting(true)}>
            <Megaphone />
            Notice to Everyone
          </Button>
          <NoticeDialog me={me} open={isWriting} onClose={() => setWriting(false)} />
        </div>
      ) : null}
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
        user={list.data?.find((user) => user.id === shown?.id) ?? shown}
        me={me}
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
    {user.isBanned ? (
      <Badge variant="warning">Banned</Badge>
    ) : user.suspendedUntil ? (
      <>
        <Badge variant="warning">Suspended</Badge>
        <span className="block text-xs text-muted-foreground">until {formatDateTime(user.suspendedUntil)}</span>
      </>
    ) : (
      <Badge variant="success">Active</Badge>
    )}
    {user.isUpdatePending ? <span className="block text-xs text-muted-foreground">Update under way</span> : null}
  </>
);

interface UserDialogProps {
  user: AdminUser | undefined;
  me: Me;
  onBan: (user: AdminUser) => void;
  onClose: () => void;
}

const UserDialog = ({ user, me, onBan, onClose }: UserDialogProps) => (
  <Dialog open={user !== undefined} onOpenChange={onClose} title="User details" className="sm:max-w-xl">
    {user ? (
      <>
        <UserCell user={user} />
        <TermList
          rows={[
            ['Status', <UserStatus key="status" user={user} />],
            ['Ban reason', user.isBanned ? (user.banReason ?? 'None given') : null],
            ['Role', ROLE_LABELS[user.role]],
            ['Email', me.role === 'admin' ? (user.email ?? 'N/A') : null],
            ['X id', user.twitterId],
            ['Joined', formatDate(user.joinDate)],
            ['X account created', user.xAccountCreated ? formatDate(user.xAccountCreated) : null],
            ['Last seen', user.lastSeenAt ? formatTimeAgo(user.lastSeenAt) : 'Never'],
            ['Ads posted', pluralize(user.adCount, 'ad')],
            ['External links', user.canLinkOut ? 'Allowed' : null],
          ]}
        />
        <UserActions user={user} me={me} onBan={onBan} onClose={onClose} />
      </>
    ) : null}
  </Dialog>
);

const UserActions = ({ user, me, onBan, onClose }: UserDialogProps & { user: AdminUser }) => {
  const [isDeleting, setDeleting] = useState(false);
  const [decision, setDecision] = useState<UserDecision>();
  const isAdmin = me.role === 'admin' && mayActOn(me, user);
  const [isWriting, setWriting] = useState(false);
  const unbanning = useAdminAction(unbanUser, { done: 'User unbanned successfully', failed: 'Failed to unban user' });
  const ending = useAdminAction(unbanUser, { done: 'Suspension ended', failed: 'Failed to end the suspension' });
  const { act: remove } = useAdminAction(deleteUser, {
    done: 'User deleted successfully',
    failed: 'Failed to delete user',
  });
  const params = { id: user.id };

  const handleDelete = async () => {
    if (await remove({ params })) onClose();
  };
  return (
    <div className="flex flex-wrap gap-2">
      {user.username ? (
        <LinkButton to={`/users/${user.username}`} variant="outline">
          View profile
        </LinkButton>
      ) : null}
      {me.role === 'admin' ? (
        <Button variant="outline" onClick={() => setWriting(true)}>
          Send Message
        </Button>
      ) : null}
      {mayActOn(me, user) && !user.isBanned ? (
        <>
          <Button variant="outline" onClick={() => setDecision('warn')}>
            Warn
          </Button>
          <Button variant="outline" onClick={() => setDecision('suspend')}>
            Suspend
          </Button>
          {user.suspendedUntil ? (
            <Button variant="outline" busy={ending.isBusyWith(user.id)} onClick={() => void ending.act({ params })}>
              End Suspension
            </Button>
          ) : null}
        </>
      ) : null}
      {!isAdmin ? null : user.isBanned ? (
        <Button variant="outline" busy={unbanning.isBusyWith(user.id)} onClick={() => void unbanning.act({ params })}>
          Unban User
        </Button>
      ) : (
        <Button variant="destructive" onClick={() => onBan(user)}>
          Ban User
        </Button>
      )}
      {isAdmin ? (
        <Button variant="destructive" onClick={() => setDeleting(true)}>
          Delete User
        </Button>
      ) : null}
      <NoticeDialog me={me} user={user} open={isWriting} onClose={() => setWriting(false)} />
      <UserDecisionDialog user={user} decision={decision} onClose={() => setDecision(undefined)} />
      <AlertDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={`Delete ${user.displayName}`}
        text={`Are you sure you want to delete ${user.displayName}? Profile, ads, photos and favorites are removed; messages stay for the other party. This action cannot be undone.`}
        confirmLabel="Delete User"
        onConfirm={() => void handleDelete()}
      />
    </div>
  );
};
