import { Link2Off } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { getBan } from '../../../contract/reports.ts';
import { ApiError } from '../api/client.ts';
import { useApiQuery } from '../api/query.ts';
import { LinkPage } from '../features/notification-settings/link-page.tsx';
import { DecisionCard } from '../features/reports/decision-card.tsx';
import { ErrorState, PageSkeleton } from '../ui/feedback.tsx';

/** Where a banned person, who cannot sign in, reads why and appeals. The link is the permission. */
export const BanPage = () => {
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const { data, error, mutate } = useApiQuery(getBan, token === '' ? null : { query: { token } });
  if (token === '') return <LinkPage icon={Link2Off} title="This link is not complete" text={AGAIN} />;
  if (data)
    return (
      <div className="container-page max-w-3xl py-8 md:py-12">
        <h1 className="mb-6 page-heading">Your account is banned</h1>
        <DecisionCard decision={data} userId="banned" token={token} />
      </div>
    );
  if (error === undefined) return <PageSkeleton />;
  if (error instanceof ApiError && error.status < 500 && error.reply && error.status !== 429)
    return <LinkPage icon={Link2Off} title="This link does not work" text={error.reply.message} />;
  return <ErrorState title="Failed to load the decision" onRetry={() => void mutate()} />;
};

const AGAIN = 'Open it from the mail once more, all of it, or sign in with X to get another one.';
