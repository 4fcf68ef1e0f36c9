import { CircleAlert, Lock } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
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
      {t('session.suspendedUntilBanner', { time: formatDateTime(until) })}
      {pathname === '/decisions' ? null : (
        <Link to="/decisions" className="font-medium underline">
          {t('session.readWhy')}
        </Link>
      )}
    </p>
  );
};

/** Replaces the pages that a suspended person cannot use. */
export const SuspendedPage = ({ until }: Props) => (
  <EmptyPage
    icon={Lock}
    title={t('session.suspendedUntil', { time: formatDateTime(until) })}
    text={t('session.suspendedText')}
  >
    <div className="grid justify-items-center gap-8 [&_section>div]:justify-center">
      <LinkButton to="/decisions">{t('session.readWhyAndAppeal')}</LinkButton>
      <AccountDataActions />
    </div>
  </EmptyPage>
);
