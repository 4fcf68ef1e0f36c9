import { type Follow, listFollows } from '../../../../contract/follows.ts';
import { t } from '../../../../contract/i18n.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { formatDate } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { Handle } from '../../ui/handle.tsx';
import { EmptyLine, ListSection } from '../../ui/list-section.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { useFollow } from './use-follow.ts';

const PAGE_SIZE = '10';

/** The people whom the user follows. */
export const FollowedPeople = () => (
  <ListSection
    id="followed-people"
    title={t('follows.title')}
    list={useInfiniteApiQuery(listFollows, { query: { limit: PAGE_SIZE } })}
    skeleton="h-24"
    failureTitle={t('follows.loadFailed')}
    empty={<EmptyLine>{t('follows.none')}</EmptyLine>}
  >
    {(follow) => <FollowedPerson key={follow.user.id} follow={follow} />}
  </ListSection>
);

const FollowedPerson = ({ follow: { user, isAvailable, createdAt } }: { follow: Follow }) => {
  const { isBusy, setFollowing } = useFollow(user);
  return (
    <li className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
      <Avatar src={user.avatar} name={user.displayName} />
      <div className="min-w-0 grow text-sm">
        <p className="truncate font-medium">
          <PersonLink person={isAvailable ? user : { ...user, username: null }} />
        </p>
        <p className="text-muted-foreground">
          {isAvailable ? (
            <span className="block truncate">
              <Handle name={user.username} />
            </span>
          ) : (
            `${t('follows.unavailable')} `
          )}
          {t('follows.since', { date: formatDate(createdAt) })}
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        busy={isBusy}
        aria-label={t('follows.unfollowName', { name: user.displayName })}
        onClick={() => void setFollowing(false)}
      >
        {isBusy ? <Spinner /> : null}
        {t('follows.unfollow')}
      </Button>
    </li>
  );
};
