import { blockUser, unblockUser } from '../../../../contract/blocks.ts';
import { t } from '../../../../contract/i18n.ts';
import type { User } from '../../../../contract/user.ts';
import { useApiMutation } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useToast } from '../../ui/toast/toast.tsx';

export type BlockablePerson = Pick<User, 'id' | 'displayName'>;

/** `setBlocked` blocks or unblocks a person without a question. Its toast offers to undo that. */
export const useBlock = ({ id, displayName }: BlockablePerson) => {
  const block = useApiMutation(blockUser);
  const unblock = useApiMutation(unblockUser);
  const toast = useToast();
  const { isBusy, run } = useAction();
  const setBlocked = async (isBlocked: boolean): Promise<void> => {
    const params = { userId: id };
    const isDone = await run(
      () => (isBlocked ? block({ params }) : unblock({ params })),
      t(isBlocked ? 'person.blockFailed' : 'person.unblockFailed', { name: displayName }),
    );
    if (!isDone) return;
    toast({
      title: t(isBlocked ? 'person.blocked' : 'person.unblocked', { name: displayName }),
      action: { label: t('person.undo'), onClick: () => void setBlocked(!isBlocked) },
    });
  };
  return { isBusy, setBlocked };
};
