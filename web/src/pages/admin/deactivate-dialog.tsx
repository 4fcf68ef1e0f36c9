import { useState } from 'react';
import { setAdStatus } from '../../../../contract/admin.ts';
import type { Ad } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { call } from '../../api/client.ts';
import { useRoomLeft } from '../../lib/use-room-left.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { STATUS_TEXTS } from './use-activate-ad.ts';
import { useAdminAction } from './use-admin-action.ts';

/** Rejects or deactivates an ad, with a reason that its owner sees. */
export const DeactivateDialog = ({ ad, onClose }: { ad: Ad | undefined; onClose: () => void }) => {
  const [reason, setReason] = useState('');
  const room = useRoomLeft(reason, LIMITS.reason);
  const act = useAdminAction();
  const verb = ad?.state === 'pending' ? 'Reject' : 'Deactivate';

  const handleConfirm = () => {
    if (!ad) return;
    const body = { status: 'inactive' as const, ...(reason.trim() ? { reason } : {}) };
    setReason('');
    void act(STATUS_TEXTS, () => call(setAdStatus, { params: { id: ad.id }, body }));
  };

  return (
    <AlertDialog
      open={ad !== undefined}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`${verb} ad`}
      text={`"${ad?.title ?? ''}" leaves public view. Its owner keeps it and sees the reason.`}
      confirmLabel={verb}
      isHeld={room.isOver}
      onConfirm={handleConfirm}
    >
      <Field label="Reason for the owner (optional)" {...room.field}>
        <Textarea rows={2} className="max-h-48" value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </AlertDialog>
  );
};
