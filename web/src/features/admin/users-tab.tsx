import { Ban, Eye, Megaphone, UserRoundX, Users } from 'lucide-react';
import { useState } from 'react';
import { type AdminUser, deleteUser, listAdminUsers, unbanUser } from '../../../../contract/admin.ts';
import { labels, t } from '../../../../contract/i18n.ts';
import { type Me, ROLES, type Role } from '../../../../contract/user.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { formatDate, formatDateTime, formatTimeAgo } from '../../lib/format.ts';
import { Avatar, SellerBadges } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { TermList } from '../../ui/term-list.tsx';
import { AdminTable, RowAction, useAdminFilter } from './admin-table.tsx';
import { BanDialog, useAdminAction } from './moderation.tsx';
import { NoticeDialog } from './notice-dialog.tsx';
import { UserAccess } from './user-access.tsx';
import { type UserDecision, UserDecisionDialog } from './user-decisions.tsx';

const STATUSES = labels({
  '': 'people.all',
  active: 'people.active',
  suspended: 'people.suspended',
  banned: 'people.banned',
});
const ROLE_LABELS = labels<Role>({
  user: 'people.role_user',
  moderator: 'people.role_moderator',
  admin: 'people.role_admin',
});

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
    { title: t('people.user'), cell: (user) => <UserCell user={user} /> },
    ...(isAdmin
      ? [
          {
            title: t('people.email'),
            labelled: true,
            cell: (user: AdminUser) => user.email ?? t('people.notKnown'),
            className: 'break-all',
          },
        ]
      : []),
    { title: t('people.role'), labelled: true, cell: (user) => ROLE_LABELS[user.role] },
    {
      title: t('people.joined'),
      labelled: true,
      cell: (user) => formatDate(user.joinDate),
      className: 'whitespace-nowrap',
    },
    { title: t('people.adsPosted'), labelled: true, cell: (user) => t('list.countAds', { count: user.adCount }) },
    { title: t('people.status'), labelled: true, cell: (user) => <UserStatus user={user} /> },
    {
      title: t('people.actions'),
      cell: (user) => (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap">
          <RowAction
            icon={Eye}
            text={t('people.toDetails')}
            label={t('people.viewDetails', { name: user.displayName })}
            onClick={() => setShown(user)}
          />
          {!isAdmin || user.isBanned || !mayActOn(me, user) ? null : (
            <RowAction
              icon={Ban}
              text={t('people.toBan')}
              label={t('people.ban', { name: user.displayName })}
              onClick={() => setToBan(user)}
            />
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
            {t('people.noticeToAll')}
          </Button>
          <NoticeDialog me={me} open={isWriting} onClose={() => setWriting(false)} />
        </div>
      ) : null}
      <AdminTable
        texts={{
          caption: t('people.caption'),
          search: t('people.search'),
          failed: t('people.loadFailed'),
          none: t('people.noneFound'),
        }}
        list={list}
        columns={columns}
        fields={fields}
        searchPlaceholder={t('people.search')}
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
      <p className="truncate text-sm text-muted-foreground">
        {user.username ? <bdi>@{user.username}</bdi> : t('people.noXAccount')}
      </p>
    </div>
  </div>
);

const UserStatus = ({ user }: { user: AdminUser }) => (
  <>
    {user.isBanned ? (
      <Badge variant="warning">{t('people.banned')}</Badge>
    ) : user.suspendedUntil ? (
      <>
        <Badge variant="warning">{t('people.suspended')}</Badge>
        <span className="block text-xs text-muted-foreground">
          {t('people.until', { time: formatDateTime(user.suspendedUntil) })}
        </span>
      </>
    ) : (
      <Badge variant="success">{t('people.active')}</Badge>
    )}
    {user.isUpdatePending ? (
      <span className="block text-xs text-muted-foreground">{t('people.updatePending')}</span>
    ) : null}
  </>
);

interface UserDialogProps {
  user: AdminUser | undefined;
  me: Me;
  onBan: (user: AdminUser) => void;
  onClose: () => void;
}

const UserDialog = ({ user, me, onBan, onClose }: UserDialogProps) => (
  <Dialog open={user !== undefined} onOpenChange={onClose} title={t('people.details')} className="sm:max-w-xl">
    {user ? (
      <>
        <UserCell user={user} />
        <TermList
          rows={[
            [t('people.status'), <UserStatus key="status" user={user} />],
            [t('people.banReason'), user.isBanned ? (user.banReason ?? t('people.noneGiven')) : null],
            [t('people.role'), ROLE_LABELS[user.role]],
            [t('people.email'), me.role === 'admin' ? (user.email ?? t('people.notKnown')) : null],
            [t('people.xId'), user.twitterId],
            [t('people.joined'), formatDate(user.joinDate)],
            [t('people.xAccountCreated'), user.xAccountCreated ? formatDate(user.xAccountCreated) : null],
            [t('people.lastSeen'), user.lastSeenAt ? formatTimeAgo(user.lastSeenAt) : t('people.never')],
            [t('people.adsPosted'), t('list.countAds', { count: user.adCount })],
            [t('people.externalLinks'), user.canLinkOut ? t('people.allowed') : null],
          ]}
        />
        {me.role === 'admin' ? <UserAccess user={user} /> : null}
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
  const unbanning = useAdminAction(unbanUser, { done: 'people.unbanned', failed: 'people.unbanFailed' });
  const ending = useAdminAction(unbanUser, { done: 'people.suspensionEnded', failed: 'people.endFailed' });
  const { act: remove } = useAdminAction(deleteUser, {
    done: 'people.deleted',
    failed: 'people.deleteFailed',
  });
  const params = { id: user.id };

  const handleDelete = async () => {
    if (await remove({ params })) onClose();
  };
  return (
    <div className="flex flex-wrap gap-2">
      {user.username ? (
        <LinkButton to={`/users/${user.username}`} variant="outline">
          {t('people.viewProfile')}
        </LinkButton>
      ) : null}
      {me.role === 'admin' ? (
        <Button variant="outline" onClick={() => setWriting(true)}>
          {t('people.sendMessage')}
        </Button>
      ) : null}
      {mayActOn(me, user) && !user.isBanned ? (
        <>
          <Button variant="outline" onClick={() => setDecision('warn')}>
            {t('people.warn')}
          </Button>
          <Button variant="outline" onClick={() => setDecision('suspend')}>
            {t('people.suspend')}
          </Button>
          {user.suspendedUntil ? (
            <Button variant="outline" busy={ending.isBusyWith(user.id)} onClick={() => void ending.act({ params })}>
              {t('people.endSuspension')}
            </Button>
          ) : null}
        </>
      ) : null}
      {!isAdmin ? null : user.isBanned ? (
        <Button variant="outline" busy={unbanning.isBusyWith(user.id)} onClick={() => void unbanning.act({ params })}>
          {t('people.unbanUser')}
        </Button>
      ) : (
        <Button variant="destructive" onClick={() => onBan(user)}>
          {t('people.banUser')}
        </Button>
      )}
      {isAdmin ? (
        <Button variant="destructive" onClick={() => setDeleting(true)}>
          {t('people.deleteUser')}
        </Button>
      ) : null}
      <NoticeDialog me={me} user={user} open={isWriting} onClose={() => setWriting(false)} />
      <UserDecisionDialog user={user} decision={decision} onClose={() => setDecision(undefined)} />
      <AlertDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={t('people.delete', { name: user.displayName })}
        text={t('people.askToDelete', { name: user.displayName })}
        confirmLabel={t('people.deleteUser')}
        onConfirm={() => void handleDelete()}
      />
    </div>
  );
};
