import { useState } from 'react';
import { type AdminUser, banUser, deleteAdAsAdmin, setAdStatus } from '../../../../contract/admin.ts';
import type { Ad } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { useInvalidateQueries } from '../../api/query.ts';
import { useCharacterCount } from '../../hooks/use-character-count.ts';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

/** Asks before banning; a reason is kept for the record. */
export const BanDialog = ({ user, onClose }: { user: AdminUser | undefined; onClose: () => void }) => {
  const [reason, setReason] = useState('');
  const room = useCharacterCount(reason, LIMITS.reason);
  const act = useAdminAction();
  const name = user?.displayName ?? '';

  const handleConfirm = () => {
    if (!user) return;
    const body = reason.trim() ? { reason } : {};
    setReason('');
    void act({ done: 'User banned successfully', failed: 'Failed to ban user' }, () =>
      apiRequest(banUser, { params: { id: user.id }, body }),
    );
  };

  return (
    <AlertDialog
      open={user !== undefined}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Ban ${name}`}
      text={`Are you sure you want to ban ${name}? This action will prevent them from accessing the platform.`}
      confirmLabel="Ban User"
      confirmDisabled={room.isOver}
      onConfirm={handleConfirm}
    >
      <Field label="Reason (optional)" {...room.field}>
        <Textarea rows={2} className="max-h-48" value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </AlertDialog>
  );
};

/** Rejects or deactivates an ad, with a reason that its owner sees. */
export const DeactivateDialog = ({ ad, onClose }: { ad: Ad | undefined; onClose: () => void }) => {
  const [reason, setReason] = useState('');
  const room = useCharacterCount(reason, LIMITS.reason);
  const act = useAdminAction();
  const verb = ad?.state === 'pending' ? 'Reject' : 'Deactivate';

  const handleConfirm = () => {
    if (!ad) return;
    const body = { status: 'inactive' as const, ...(reason.trim() ? { reason } : {}) };
    setReason('');
    void act(STATUS_TEXTS, () => apiRequest(setAdStatus, { params: { id: ad.id }, body }));
  };

  return (
    <AlertDialog
      open={ad !== undefined}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`${verb} ad`}
      text={`"${ad?.title ?? ''}" leaves public view. Its owner keeps it and sees the reason.`}
      confirmLabel={verb}
      confirmDisabled={room.isOver}
      onConfirm={handleConfirm}
    >
      <Field label="Reason for the owner (optional)" {...room.field}>
        <Textarea rows={2} className="max-h-48" value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </AlertDialog>
  );
};

interface DeleteAdDialogProps {
  ad: Ad | undefined;
  onDeleted: () => void;
  onClose: () => void;
}

/** Asks before an ad is deleted for good. */
export const DeleteAdDialog = ({ ad, onDeleted, onClose }: DeleteAdDialogProps) => {
  const act = useAdminAction();
  const handleConfirm = async () => {
    if (!ad) return;
    const texts = { done: 'Ad deleted successfully', failed: 'Failed to delete ad' };
    if (await act(texts, () => apiRequest(deleteAdAsAdmin, { params: { id: ad.id } }))) onDeleted();
  };
  return (
    <AlertDialog
      open={ad !== undefined}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete ad"
      text={`Are you sure you want to delete "${ad?.title ?? ''}"? This action cannot be undone.`}
      confirmLabel="Delete Ad"
      onConfirm={() => void handleConfirm()}
    />
  );
};

interface ActionTexts {
  done: string;
  failed: string;
}

/** Runs an administrator's action, says how it went, and refreshes what it may have changed. True when it worked. */
export const useAdminAction = () => {
  const showToast = useToast();
  const refresh = useInvalidateQueries();
  return async (texts: ActionTexts, action: () => Promise<unknown>): Promise<boolean> => {
    try {
      await action();
    } catch (error) {
      showToast.error(getErrorMessage(error, 'Please try again later.'), texts.failed);
      return false;
    }
    showToast({ title: texts.done });
    await refresh('adminUsers', 'adminAds', 'ads', 'profiles');
    return true;
  };
};

/** What both directions of the switch say. */
export const STATUS_TEXTS = { done: 'Ad status updated successfully', failed: 'Failed to update ad status' };

/** Approves a pending ad or puts an inactive one back. */
export const useActivateAd = () => {
  const act = useAdminAction();
  return (ad: Ad) =>
    act(STATUS_TEXTS, () => apiRequest(setAdStatus, { params: { id: ad.id }, body: { status: 'active' } }));
};
