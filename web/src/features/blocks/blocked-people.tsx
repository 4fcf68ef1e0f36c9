import { listBlocks } from '../../../../contract/blocks.ts';
import { t } from '../../../../contract/i18n.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { formatDate } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Handle } from '../../ui/handle.tsx';
import { EmptyLine } from '../../ui/list-section.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { Query } from '../../ui/query.tsx';
import { UnblockButton } from './block-button.tsx';

const PAGE_SIZE = '10';

export const BlockedPeople = () => {
  const list = useInfiniteApiQuery(listBlocks, { query: { limit: PAGE_SIZE } });
  const focusFallback = useFocusFallback<HTMLElement>();
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby="blocked-people">
      <h2 id="blocked-people" className="mb-2 card-heading">
        {t('account.blockedTitle')}
      </h2>
      <Query
        of={list}
        failure={t('account.blockedLoadFailed')}
        size="line"
        loading={<SkeletonRegion boxes={['h-12']} />}
        empty={<EmptyLine>{t('account.blockedNone')}</EmptyLine>}
      >
        {(people) => (
          <ul className="divide-y divide-border">
            {people.map(({ user, createdAt }) => (
              <li key={user.id} className="flex items-center gap-3 py-2">
                <Avatar src={user.avatar} name={user.displayName} />
                <div className="min-w-0 grow text-sm">
                  <p className="truncate font-medium">
                    <PersonLink person={user} />
                  </p>
                  <p className="text-muted-foreground">
                    {user.username ? (
                      <span className="block truncate">
                        <Handle name={user.username} />
                      </span>
                    ) : null}
                    {t('account.blockedSince', { date: formatDate(createdAt) })}
                  </p>
                </div>
                <UnblockButton person={user} />
              </li>
            ))}
          </ul>
        )}
      </Query>
      <LoadMoreButton list={list} />
    </section>
  );
};
