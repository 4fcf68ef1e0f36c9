import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDateTime } from '../../lib/format.ts';

/** Stays at the lower edge of every page. A separate chunk, as few people need it. */
export const SuspensionBanner = ({ until }: { until: string }) =>
  Date.parse(until) > Date.now() ? (
    <p
      role="status"
      className="sticky bottom-0 z-bottom-bar flex flex-wrap items-center justify-center gap-x-2 bg-warning-soft px-4 py-3 text-center text-sm text-warning"
    >
      <CircleAlert className="size-4 shrink-0" />
      Your account is suspended until {formatDateTime(until)}.
      <Link to="/decisions" className="font-medium underline">
        Read why
      </Link>
    </p>
  ) : null;
