import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type AdminUser, deleteUser, unbanUser } from '../../../../contract/admin.ts';
import { call } from '../../api/client.ts';
import { pluralize } from '../../lib/format-count.ts';
import { formatDate, formatTimeAgo } from '../../lib/format-time.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { Details } from './details.tsx';
import { Person } from './person.tsx';
import { useAdminAction } from './use-admin-action.ts';
import { UserStatus } from './user-status.tsx';

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
        <Person user={user} />
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
      call(unbanUser, { params: { id: user.id } }),
    );
  const handleDelete = async () => {
    const texts = { done: 'User deleted successfully', failed: 'Failed to delete user' };
    if (await act(texts, () => call(deleteUser, { params: { id: user.id } }))) onClose();
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
