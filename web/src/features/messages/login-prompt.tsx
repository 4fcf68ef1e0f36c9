import { MessageCircle } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import { signInUrl } from '../../api/session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback.tsx';

export const LoginPrompt = () => (
  <EmptyState icon={MessageCircle} heading="h1" title={t('messages.pleaseLogIn')} text={t('messages.pleaseLogInText')}>
    <LinkButton reloadDocument to={signInUrl(location.pathname)}>
      {t('messages.loginWithX')}
    </LinkButton>
  </EmptyState>
);
