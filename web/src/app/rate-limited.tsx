import { Hourglass } from 'lucide-react';
import { createContext, use, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { TITLES } from '../../../contract/pages.ts';
import { pluralize } from '../lib/format.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { EmptyPage } from '../ui/feedback.tsx';

/** InitialState.retryAfter */
export const RetryAfterContext = createContext<number | undefined>(undefined);

/** The page, or if the server refused the first one by a rate limit, that it did. */
export const PageUnlessRateLimited = () => {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const retryAfter = use(RetryAfterContext);
  const [refused, setRefused] = useState(retryAfter === undefined ? undefined : { address, retryAfter });
  if (refused && refused.address !== address) setRefused(undefined);
  return refused ? <RateLimitedPage seconds={refused.retryAfter} /> : <Outlet />;
};

const formatWait = (seconds: number): string =>
  seconds <= 60 ? pluralize(seconds, 'second') : pluralize(Math.ceil(seconds / 60), 'minute');

const RateLimitedPage = ({ seconds }: { seconds: number }) => (
  <EmptyPage
    icon={Hourglass}
    title={TITLES.rateLimited}
    text={`More requests came from your network than this site answers in a short time. Please try again in ${formatWait(seconds)}.`}
  >
    <PageTitle title={TITLES.rateLimited} />
    {/* biome-ignore lint/a11y/useValidAnchor: requests the same address again, also without scripts */}
    <a href="" className="button button-primary button-md">
      Try again
    </a>
  </EmptyPage>
);
