import { deleteAdAsAdmin } from '../../../../contract/admin.ts';
import type { Ad } from '../../../../contract/ads.ts';
import { call } from '../../api/client.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { useAdminAction } from './use-admin-action.ts';

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
    if (await act(texts, () => call(deleteAdAsAdmin, { params: { id: ad.id } }))) onDeleted();
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
