import { Link2Off } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import { getBan } from '../../../contract/reports.ts';
import { useApiQuery } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { useOpenSignIn } from '../features/auth/sign-in.tsx';
import { LinkPage } from '../features/notification-settings/link-page.tsx';
import { DecisionCard } from '../features/reports/decision-card.tsx';
import { Button } from '../ui/button.tsx';
import { PageSkeleton } from '../ui/feedback.tsx';
import { Query } from '../ui/query.tsx';

/** Where a banned person, who cannot sign in, reads why and appeals. The link is the permission. */
export const BanPage = () => {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const query = useApiQuery(getBan, token === '' ? null : { query: { token } });
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  if (token === '')
    return (
      <LinkPage icon={Link2Off} title={t('decisions.linkIncomplete')} text={t('decisions.linkIncompleteText')}>
        {user ? null : <Button onClick={() => openSignIn()}>{t('shell.signIn')}</Button>}
      </LinkPage>
    );
  return (
    <Query
      of={query}
      failure={t('decisions.banLoadFailed')}
      refusal={({ status, reply }) =>
        status < 500 && reply && status !== 429 ? (
          <LinkPage icon={Link2Off} title={t('decisions.linkDoesNotWork')} text={reply.message} />
        ) : undefined
      }
      loading={<PageSkeleton />}
    >
      {(decision) => (
        <div className="container-page max-w-3xl py-8 md:py-12">
          <h1 className="mb-6 page-heading">{t('shell.titleBan')}</h1>
          <DecisionCard decision={decision} userId="banned" token={token} />
        </div>
      )}
    </Query>
  );
};
