import { Link } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { listMyDecisions } from '../../../../contract/reports.ts';
import { useApiQuery } from '../../api/query.ts';
import { Rich } from '../../ui/rich.tsx';

/** Leads the owner of a hidden ad to the decision that hid it. Renders nothing if there is none. */
export const DecisionLink = ({ ad }: { ad: Ad }) => {
  const isHidden = ad.state === 'pending' || ad.state === 'inactive';
  const { data } = useApiQuery(listMyDecisions, isHidden ? {} : null);
  const decision = data?.items.find(
    ({ url, action, reversedAt }) =>
      url === `/ads/${ad.id}` && (action === 'hold' || action === 'remove') && reversedAt === null,
  );
  if (!decision) return null;
  return (
    <span className="text-xs">
      <Rich
        text={t(decision.action === 'hold' ? 'states.heldReasons' : 'states.removedReasons')}
        link={(words) => (
          <Link to={`/decisions#decision-${decision.id}`} className="prose-link">
            {words}
          </Link>
        )}
      />
    </span>
  );
};
