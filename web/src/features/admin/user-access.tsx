import { type AdminUser, type AdminUserAccess, getUserAccess } from '../../../../contract/admin.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiQuery } from '../../api/query.ts';
import { formatCount, formatTimeAgo } from '../../lib/format.ts';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { TermList } from '../../ui/term-list.tsx';

const tellUse = ({ count, lastUsedAt }: AdminUserAccess['passkeys']): string => {
  const number = formatCount(count);
  if (count === 0) return number;
  return lastUsedAt
    ? t('people.lastUsed', { number, time: formatTimeAgo(lastUsedAt) })
    : t('people.notUsed', { number });
};

/** What lets a person in beside X, and which programs of theirs there are. */
export const UserAccess = ({ user }: { user: AdminUser }) => {
  const access = useApiQuery(getUserAccess, { params: { id: user.id } });
  return (
    <Query of={access} failure={t('people.accessFailed')} size="line" loading={<SkeletonRegion boxes={['h-28']} />}>
      {({ passkeys, recoveryCodes, accessTokens, webhooks }) => (
        <TermList
          rows={[
            [t('people.passkeys'), tellUse(passkeys)],
            [t('people.recoveryCodes'), formatCount(recoveryCodes)],
            [t('people.accessTokens'), tellUse(accessTokens)],
            [t('people.webhooks'), formatCount(webhooks)],
          ]}
        />
      )}
    </Query>
  );
};
