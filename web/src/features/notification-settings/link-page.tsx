import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyPage } from '../../ui/feedback.tsx';

interface LinkPageProps {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

/** The page of a link in a mail: a statement and its buttons. It keeps the focus when a button leaves. */
export const LinkPage = (props: LinkPageProps) => {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <div {...focusFallback} tabIndex={-1} aria-live="polite">
      <EmptyPage {...props} />
    </div>
  );
};

export const SettingsLink = () => (
  <LinkButton to="/preferences#notification-settings" variant="outline">
    {t('notifications.settingsTitle')}
  </LinkButton>
);
