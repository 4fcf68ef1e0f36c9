import { CircleAlert, Lock } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { AccountDataActions } from '../../features/profile/account-data.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyPage } from '../../ui/feedback.tsx';

// A separate chunk, as few people need it.

interface Props {
  until: string;
}

/** Stays at the lower edge of every page. */
export const SuspensionBanner = ({ until }: Props) => {
  const { pathname } = useLocation();
  if (Date.parse(until) <= Date.now()) return null;
  return (
    <p
      role="status"
      className="sticky bottom-(--bottom-bar) z-bottom-bar flex flex-wrap items-center justify-center gap-x-2 bg-warning-soft px-4 py-3 text-center text-sm text-warning"
    >
      <CircleAlert className="size-4 shrink-0 max-sm:hidden" />
      Your account is suspended until {formatDateTime(until)}.
      {pathname === '/decisions' ? null : (
        <Link to="/decisions" className="font-medium underline">
          Read why
        </Link>
      )}
    </p>
  );
};

/** Replaces the pages that a suspended person cannot use. */
export const SuspendedPage = ({ until }: Props) => (
  <EmptyPage
    icon={Lock}
    title={`Your account is suspended until ${formatDateTime(until)}`}
    text="Until then you can read the reasons, appeal, export your data and log out. Your ads are hidden."
  >
    <div className="grid justify-items-center gap-8 [&_section>div]:justify-center">
      <LinkButton to="/decisions">Read why and appeal</LinkButton>
      <AccountDataActions />
    </div>
  </EmptyPage>
);
