import { useState } from 'react';
import { type AdminUser, banUser } from '../../../../contract/admin.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { call } from '../../api/client.ts';
import { useRoomLeft } from '../../lib/use-room-left.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useAdminAction } from './use-admin-action.ts';

/** Asks before banning; a reason is kept for the record. */
export const BanDialog = ({ user, onClose }: { user: AdminUser | undefined; onClose: () => void }) => {
  const [reason, setReason] = useState('');
  const room = useRoomLeft(reason, LIMITS.reason);
  const act = useAdminAction();
  const name = user?.displayName ?? '';

  const handleConfirm = () => {
    if (!user) return;
    const body = reason.trim() ? { reason } : {};
    setReason('');
    void act({ done: 'User banned successfully', failed: 'Failed to ban user' }, () =>
      call(banUser, { params: { id: user.id }, body }),
    );
  };

  return (
    <AlertDialog
      open={user !== undefined}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Ban ${name}`}
      text={`Are you sure you want to ban ${name}? This action will prevent them from accessing the platform.`}
      confirmLabel="Ban User"
      isHeld={room.isOver}
      onConfirm={handleConfirm}
    >
      <Field label="Reason (optional)" {...room.field}>
        <Textarea rows={2} className="max-h-48" value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </AlertDialog>
  );
};
