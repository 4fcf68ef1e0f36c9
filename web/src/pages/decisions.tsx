import { ShieldCheck } from 'lucide-react';
import { t } from '../../../contract/i18n.ts';
import { listMyDecisions } from '../../../contract/reports.ts';
import { useInfiniteApiQuery } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { DecisionCard } from '../features/reports/decision-card.tsx';
import { EmptyState, PageSkeleton, SkeletonRegion } from '../ui/feedback.tsx';
import { LoadMoreButton } from '../ui/load-more-button.tsx';
import { Query } from '../ui/query.tsx';

export const DecisionsPage = () => {
  const { user } = useSession();
  if (user === null) return <RequireSignIn title={t('decisions.signIn')} />;
  if (!user) return <PageSkeleton />;
  return (
    <div className="container-page max-w-3xl py-8 wrap-anywhere md:py-12">
      <h1 className="page-heading">{t('shell.titleDecisions')}</h1>
      <p className="mt-2 mb-6 text-muted-foreground">{t('decisions.intro')}</p>
      <OwnDecisions userId={user.id} />
    </div>
  );
};

const OwnDecisions = ({ userId }: { userId: string }) => {
  const list = useInfiniteApiQuery(listMyDecisions, {}, { keepPreviousData: true });
  return (
    <Query
      of={list}
      failure={t('decisions.loadFailed')}
      loading={<SkeletonRegion className="grid gap-4" boxes={Array(2).fill('h-56 rounded-card')} />}
      empty={<EmptyState icon={ShieldCheck} title={t('decisions.none')} text={t('decisions.noneText')} />}
    >
      {(decisions) => (
        <>
          <ul className="grid gap-4">
            {decisions.map((decision) => (
              <li key={decision.id}>
                <DecisionCard decision={decision} userId={userId} />
              </li>
            ))}
          </ul>
          <LoadMoreButton list={list} />
        </>
      )}
    </Query>
  );
};
