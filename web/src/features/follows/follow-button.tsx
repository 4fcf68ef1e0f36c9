import { ChevronDown, UserCheck, UserPlus } from 'lucide-react';
import { getFollow } from '../../../../contract/follows.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { MenuButton } from '../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';
import { type FollowablePerson, useFollow } from './use-follow.ts';

const loadMenu = () => import('./follow-menu.tsx').then((module) => module.FollowMenu);

/** Opens the menu with the ways to follow the person of a profile. The caller hides it for oneself. */
export const FollowButton = ({ person }: { person: FollowablePerson }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const { data } = useApiQuery(getFollow, user ? { params: { userId: person.id } } : null);
  const { setFollowing } = useFollow(person);
  const isFollowing = data?.isFollowing ?? false;
  const label = isFollowing ? 'Following' : 'Follow';
  return (
    <MenuButton
      label={`${label} ${person.displayName}`}
      variant="outline"
      size="md"
      load={loadMenu}
      menu={{
        username: person.username ?? '',
        isFollowing,
        onFollowing: (value: boolean) => (user ? void setFollowing(value) : openSignIn()),
      }}
    >
      {isFollowing ? <UserCheck /> : <UserPlus />}
      {label}
      <ChevronDown className="-mr-1" />
    </MenuButton>
  );
};
