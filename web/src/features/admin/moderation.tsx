import { useState } from 'react';
import { type AdminUser, banUser, deleteAdAsAdmin, setAdStatus } from '../../../../contract/admin.ts';
import type { Ad } from '../../../../contract/ads.ts';
import type { EndpointSpec } from '../../../../contract/endpoint.ts';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { type ApiOptions, hasStatus } from '../../api/client.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';

interface ActionTexts {
  done: TextKey;
  failed: TextKey;
}

/** Calls a writing endpoint about a person or an ad and shows the result in a toast. `act` resolves to true on success. */
export const useAdminAction = <E extends EndpointSpec>(spec: E, texts: ActionTexts) => {
  const toast = useToast();
  const mutate = useApiMutation(spec);
  const invalidate = useInvalidateQueries();
  const { isBusyWith, run } = useAction();
  const act = (options: ApiOptions<E> & { params: { id: string } }): Promise<boolean> =>
    run(
      async () => {
        await mutate(options).catch((error: unknown) => {
          // someone else was faster: show what there is now
          if (hasStatus(error, 409)) void invalidate(...(spec.invalidates ?? []));
          throw error;
        });
        toast({ title: t(texts.done) });
      },
      t('people.tryLater'),
      t(texts.failed),
      options.params.id,
    );
  return { act, isBusyWith };
};

/** What staff decide about is the ad that they see. */
const toVersion = ({ version }: Pick<Ad, 'version'> = {}) => (version === undefined ? {} : { version });

const STATUS_TEXTS = { done: 'moderation.statusUpdated', failed: 'moderation.statusFailed' } as const;

export const useActivateAd = () => {
  const { act, isBusyWith } = useAdminAction(setAdStatus, STATUS_TEXTS);
  const activate = (ad: Ad) => act({ params: { id: ad.id }, body: { status: 'active', ...toVersion(ad) } });
  return { activate, isBusyWith };
};

interface ReasonDialogProps {
  id: string | undefined;
  title: string;
  text: string;
  label: string;
  confirmLabel: string;
  /** Returns true on success. */
  onConfirm: (reason: { reason?: string }) => Promise<boolean>;
  onClose: () => void;
}

/**
 * Confirms an action and asks for an optional reason. The typed reason is kept for this user or ad until the action
 * succeeds.
 */
const ReasonDialog = ({ id = '', label, onConfirm, onClose, ...dialog }: ReasonDialogProps) => {
  const [reasons, setReasons] = useState<Record<string, string>>({});
  const reason = reasons[id] ?? '';
  const room = useCharacterCount(reason, LIMITS.reason);
  const setReason = (value: string) => setReasons((all) => ({ ...all, [id]: value }));
  const handleConfirm = async () => {
    if (await onConfirm(reason.trim() ? { reason } : {})) setReason('');
  };
  return (
    <AlertDialog
      {...dialog}
      open={id !== ''}
      onOpenChange={onClose}
      confirmDisabled={room.isOver}
      onConfirm={() => void handleConfirm()}
    >
      <Field label={label} {...room.field}>
        <Textarea rows={2} className="max-h-48" value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </AlertDialog>
  );
};

export const BanDialog = ({ user, onClose }: { user: AdminUser | undefined; onClose: () => void }) => {
  const { act: ban } = useAdminAction(banUser, { done: 'people.didBan', failed: 'people.banFailed' });
  const name = user?.displayName ?? '';
  return (
    <ReasonDialog
      id={user?.id}
      title={t('people.ban', { name })}
      text={t('people.askToBan', { name })}
      label={t('people.reasonForPerson')}
      confirmLabel={t('people.banUser')}
      onConfirm={(body) => ban({ params: { id: user?.id ?? '' }, body })}
      onClose={onClose}
    />
  );
};

export const DeactivateDialog = ({ ad, onClose }: { ad: Ad | undefined; onClose: () => void }) => {
  const { act: setStatus } = useAdminAction(setAdStatus, STATUS_TEXTS);
  const isPending = ad?.state === 'pending';
  return (
    <ReasonDialog
      id={ad?.id}
      title={isPending ? t('moderation.rejectAd') : t('moderation.deactivateAd')}
      text={t('moderation.deactivateText', { title: ad?.title ?? '' })}
      label={t('moderation.reasonForOwner')}
      confirmLabel={isPending ? t('moderation.reject') : t('moderation.deactivate')}
      onConfirm={(reason) =>
        setStatus({ params: { id: ad?.id ?? '' }, body: { status: 'inactive', ...reason, ...toVersion(ad) } })
      }
      onClose={onClose}
    />
  );
};

interface DeleteAdDialogProps {
  ad: Ad | undefined;
  onDeleted: () => void;
  onClose: () => void;
}

export const DeleteAdDialog = ({ ad, onDeleted, onClose }: DeleteAdDialogProps) => {
  const { act: remove } = useAdminAction(deleteAdAsAdmin, {
    done: 'moderation.deleted',
    failed: 'moderation.deleteFailed',
  });
  const handleConfirm = async () => {
    if (ad && (await remove({ params: { id: ad.id } }))) onDeleted();
  };
  return (
    <AlertDialog
      open={ad !== undefined}
      onOpenChange={onClose}
      title={t('moderation.deleteTitle')}
      text={t('moderation.askToDelete', { title: ad?.title ?? '' })}
      confirmLabel={t('moderation.deleteAd')}
      onConfirm={() => void handleConfirm()}
    />
  );
};
