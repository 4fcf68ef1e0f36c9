import { Bell, ChevronDown, UserCheck, UserPlus } from 'lucide-react';
import { getFollow } from '../../../../contract/follows.ts';
import { t } from '../../../../contract/i18n.ts';
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
  return (
    <MenuButton
      label={t(isFollowing ? 'follows.followingName' : 'follows.followName', { name: person.displayName })}
      variant="outline"
      size="md"
      load={loadActionMenu}
      menu={{
        title: t('follows.follow'),
        actions: [
          {
            icon: Bell,
            label: t('follows.notifyMe'),
            isOn: isFollowing,
            onSelect: () => (user ? void setFollowing(!isFollowing) : openSignIn()),
          },
          {
            icon: XLogo,
            label: t('follows.onX'),
            href: `https://x.com/intent/follow?screen_name=${person.username ?? ''}`,
          },
        ],
      }}
    >
      {isFollowing ? <UserCheck /> : <UserPlus />}
      {t(isFollowing ? 'follows.following' : 'follows.follow')}
      <ChevronDown className="-me-1" />
    </MenuButton>
  );
};
