import { Hourglass } from 'lucide-react';
import { createContext, use, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import { TITLES } from '../../../contract/pages.ts';
import { PageTitle, RouteTitle } from '../lib/site-config.tsx';
import { EmptyPage } from '../ui/feedback.tsx';

/** InitialState.retryAfter */
export const RetryAfterContext = createContext<number | undefined>(undefined);

/** The page, or if the server refused the first one by a rate limit, that it did. */
export const PageUnlessRateLimited = () => {
  // each navigation has another key, also one to the same address
  const { key } = useLocation();
  const retryAfter = use(RetryAfterContext);
  const [refused, setRefused] = useState(retryAfter === undefined ? undefined : { key, retryAfter });
  if (refused && refused.key !== key) setRefused(undefined);
  if (refused) return <RateLimitedPage seconds={refused.retryAfter} />;
  return (
    <>
      {/* the same page with another query has the same title, which this one replaced */}
      {retryAfter !== undefined && <RouteTitle />}
      <Outlet />
    </>
  );
};

const explain = (seconds: number): string =>
  seconds <= 60
    ? t('shell.rateLimited', { count: seconds })
    : t('shell.rateLimitedMinutes', { count: Math.ceil(seconds / 60) });

const RateLimitedPage = ({ seconds }: { seconds: number }) => (
  <EmptyPage icon={Hourglass} title={TITLES.rateLimited} text={explain(seconds)}>
    <PageTitle title={TITLES.rateLimited} />
    {/* biome-ignore lint/a11y/useValidAnchor: requests the same address again, also without scripts */}
    <a href="" className="button button-primary button-md">
      {t('shell.tryAgain')}
    </a>
  </EmptyPage>
);
