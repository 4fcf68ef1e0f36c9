import { Bell, ChevronDown, UserCheck, UserPlus } from 'lucide-react';
import { getFollow } from '../../../../contract/follows.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { XLogo } from '../../ui/icons.tsx';
import { loadActionMenu, MenuButton } from '../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';
import { type FollowablePerson, useFollow } from './use-follow.ts';

/** Opens the menu with the ways to follow the person of a profile: here, and on X. The caller hides it for oneself. */
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
      load={loadActionMenu}
      menu={{
        title: 'Follow',
        actions: [
          {
            icon: Bell,
            label: 'Notify me about new ads',
            isOn: isFollowing,
            onSelect: () => (user ? void setFollowing(!isFollowing) : openSignIn()),
          },
          {
            icon: XLogo,
            label: 'Follow on X',
            href: `https://x.com/intent/follow?screen_name=${person.username ?? ''}`,
          },
        ],
      }}
    >
      {isFollowing ? <UserCheck /> : <UserPlus />}
      {label}
      <ChevronDown className="-me-1" />
    </MenuButton>
  );
};
