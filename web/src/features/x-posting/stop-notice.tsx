import { formatDate } from '../../lib/format-time.ts';
import { useXPosting } from './use-x-posting.ts';

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** To administrators: X refuses every post because its credits are used up. Nothing while posting works. */
export const StopNotice = () => {
  const stopped = useXPosting().data?.stopped;
  if (!stopped) return null;
  return (
    <p role="status" className="mb-6 rounded-card bg-warning-soft p-4 text-sm text-warning">
      Posting to X has stopped since {formatDate(stopped.since)}: the credits of this site’s X app are used up. Waiting
      posts are kept; one is tried again at {time.format(new Date(stopped.until))}.
    </p>
  );
};
