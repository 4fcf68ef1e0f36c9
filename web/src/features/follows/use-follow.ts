import { followUser, unfollowUser } from '../../../../contract/follows.ts';
import { t } from '../../../../contract/i18n.ts';
import type { User } from '../../../../contract/user.ts';
import { useApiMutation } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useToast } from '../../ui/toast/toast.tsx';

export type FollowablePerson = Pick<User, 'id' | 'displayName' | 'username'>;

/** `setFollowing` follows or unfollows a person. Its toast offers to undo that. */
export const useFollow = ({ id, displayName }: FollowablePerson) => {
  const follow = useApiMutation(followUser);
  const unfollow = useApiMutation(unfollowUser);
  const toast = useToast();
  const { isBusy, run } = useAction();
  const setFollowing = async (isFollowing: boolean): Promise<void> => {
    const params = { userId: id };
    const isDone = await run(
      () => (isFollowing ? follow({ params }) : unfollow({ params })),
      t(isFollowing ? 'follows.followFailed' : 'follows.unfollowFailed', { name: displayName }),
    );
    if (!isDone) return;
    toast({
      title: t(isFollowing ? 'follows.nowFollowing' : 'follows.noLonger', { name: displayName }),
      description: isFollowing ? t('follows.willBeNotified') : undefined,
      action: { label: t('follows.undo'), onClick: () => void setFollowing(!isFollowing) },
    });
  };
  return { isBusy, setFollowing };
};
