import { Ban, Eye, UserRoundX, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type AdminUser, deleteUser, listAdminUsers, unbanUser } from '../../../../contract/admin.ts';
import type { Me } from '../../../../contract/user.ts';
import { apiRequest } from '../../api/client.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useDebouncedValue } from '../../hooks/use-debounced-value.ts';
import { formatDate, formatTimeAgo, pluralize } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { Field, Input, NativeSelect } from '../../ui/form-controls.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { Details, RowAction, UserCell, UserStatus } from './cells.tsx';
import { BanDialog, useAdminAction } from './moderation-dialogs.tsx';

type Status = '' | 'active' | 'banned';

/** All users, newest first: look closer, ban, unban. */
export const UsersTab = ({ me }: { me: Me }) => {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<Status>('');
  const [shown, setShown] = useState<AdminUser>();
  const [toBan, setToBan] = useState<AdminUser>();
  const settled = useDebouncedValue(search.trim());
  const query = { search: settled || undefined, status: status || undefined };
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
      <div className="mb-4 flex flex-wrap gap-3">
        <Field label="Search users" hideLabel className="min-w-56 grow sm:max-w-sm">
          <Input
            type="search"
            placeholder="Search users"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </Field>
        <Field label="Status" hideLabel className="w-40">
          <NativeSelect value={status} onChange={(event) => setStatus(event.target.value as Status)}>
            <option value="">All users</option>
            <option value="active">Active</option>
            <option value="banned">Banned</option>
          </NativeSelect>
        </Field>
      </div>
      <DataTable
        caption="Users"
        columns={columns}
        rows={list.items}
        isLoading={list.isLoading}
        rowKey={(user) => user.id}
        skeletonRows={8}
        failure={list.error ? { title: 'Failed to load users', onRetry: list.retry } : undefined}
        empty={<EmptyState icon={settled || status ? UserRoundX : Users} title="No users found" />}
      />
      <LoadMoreButton list={list} />
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

interface UserDialogProps {
  user: AdminUser | undefined;
  isMe: boolean;
  onBan: (user: AdminUser) => void;
  onClose: () => void;
}

/** Everything an administrator may know of a user, and what may be done about them. */
export const UserDialog = ({ user, isMe, onBan, onClose }: UserDialogProps) => (
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
  const showToast = useToast();
  const act = useAdminAction();

  const handleUnban = () =>
    act({ done: 'User unbanned successfully', failed: 'Failed to unban user' }, () =>
      apiRequest(unbanUser, { params: { id: user.id } }),
    );
  const handleDelete = async () => {
    const texts = { done: 'User deleted successfully', failed: 'Failed to delete user' };
    if (await act(texts, () => apiRequest(deleteUser, { params: { id: user.id } }))) onClose();
  };
  const handleMessage = () =>
    showToast({
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
        <Button variant="outline" onClick={() => void handleUnban()}>
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
