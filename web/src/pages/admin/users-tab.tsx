import { Ban, Eye, UserRoundX, Users } from 'lucide-react';
import { useState } from 'react';
import { type AdminUser, listAdminUsers } from '../../../../contract/admin.ts';
import type { Me } from '../../../../contract/user.ts';
import { usePagedCall } from '../../api/use-paged-call.ts';
import { pluralize } from '../../lib/format-count.ts';
import { formatDate } from '../../lib/format-time.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { NativeSelect } from '../../ui/native-select.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { Person } from './person.tsx';
import { RowAction } from './row-action.tsx';
import { useDebounced } from './use-debounced.ts';
import { UserDialog } from './user-dialog.tsx';
import { UserStatus } from './user-status.tsx';

type Status = '' | 'active' | 'banned';

/** All users, newest first: look closer, ban, unban. */
export const UsersTab = ({ me }: { me: Me }) => {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<Status>('');
  const [shown, setShown] = useState<AdminUser>();
  const [toBan, setToBan] = useState<AdminUser>();
  const settled = useDebounced(search.trim());
  const query = { search: settled || undefined, status: status || undefined };
  const list = usePagedCall(listAdminUsers, { query }, { keepPreviousData: true });

  const columns: Column<AdminUser>[] = [
    { title: 'User', cell: (user) => <Person user={user} /> },
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
        empty={<Empty icon={settled || status ? UserRoundX : Users} title="No users found" />}
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
