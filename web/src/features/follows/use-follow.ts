import { followUser, unfollowUser } from '../../../../contract/follows.ts';
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
      `Failed to ${isFollowing ? 'follow' : 'unfollow'} ${displayName}. Please try again.`,
    );
    if (!isDone) return;
    toast({
      title: `You ${isFollowing ? 'follow' : 'no longer follow'} ${displayName}`,
      description: isFollowing ? 'You will be notified about new ads.' : undefined,
      action: { label: 'Undo', onClick: () => void setFollowing(!isFollowing) },
    });
  };
  return { isBusy, setFollowing };
};
