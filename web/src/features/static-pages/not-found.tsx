import { Compass } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyPage } from '../../ui/feedback.tsx';

export const NotFound = () => (
  <EmptyPage icon={Compass} title={t('shell.titleNotFound')} text={t('shell.notFoundText')}>
    <LinkButton to="/">{t('shell.backToHome')}</LinkButton>
    <LinkButton to="/categories" variant="outline">
      {t('shell.categories')}
    </LinkButton>
  </EmptyPage>
);
