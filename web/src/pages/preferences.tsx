import { type ReactNode, Suspense } from 'react';
import { t } from '../../../contract/i18n.ts';
import type { Me } from '../../../contract/user.ts';
import { useSession } from '../api/session.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { BlockedPeople } from '../features/blocks/blocked-people.tsx';
import { ThemeChoice } from '../features/preferences/theme-choice.tsx';
import { AccountDataActions } from '../features/profile/account-data.tsx';
import { lazyContent } from '../lib/chunks.ts';
import { useSiteConfig } from '../lib/site-config.tsx';
import { Card } from '../ui/card.tsx';
import { PageSkeleton, SkeletonRegion } from '../ui/feedback.tsx';

const AccessTokens = lazyContent(() =>
  import('../features/access-tokens/access-tokens.tsx').then((m) => m.AccessTokens),
);
const NotificationSettings = lazyContent(() =>
  import('../features/notification-settings/notification-settings.tsx').then((m) => m.NotificationSettings),
);
const Passkeys = lazyContent(() => import('../features/passkeys/passkeys.tsx').then((m) => m.Passkeys));
const RecoveryCodes = lazyContent(() => import('../features/passkeys/recovery-codes.tsx').then((m) => m.RecoveryCodes));
const LanguageChoice = lazyContent(() =>
  import('../features/preferences/language-choice.tsx').then((m) => m.LanguageChoice),
);
const Webhooks = lazyContent(() => import('../features/webhooks/webhooks.tsx').then((m) => m.Webhooks));
const XPostingCard = lazyContent(() => import('../features/x-posting/x-posting-card.tsx').then((m) => m.XPostingCard));

export const PreferencesPage = () => {
  const { user } = useSession();
  if (user === undefined) return <PageSkeleton />;
  if (user === null) return <RequireSignIn title={t('account.signInPreferences')} />;
  return <Preferences me={user} />;
};

const Preferences = ({ me }: { me: Me }) => {
  const { xPosting, languages } = useSiteConfig();
  return (
    <div className="container-page grid max-w-3xl gap-6 py-8 md:gap-8 md:py-12">
      <h1 className="page-heading">{t('shell.titlePreferences')}</h1>
      {/* all at once, so that none of them moves another one */}
      <Suspense fallback={<SkeletonRegion boxes={['h-dvh']} />}>
        <NotificationSettings userId={me.id} />
        <Passkeys />
        <RecoveryCodes />
        <AccessTokens isStaff={me.role !== 'user'} />
        <Webhooks of="me" />
        {xPosting === 'api' ? <XPostingCard me={me} /> : null}
        <Section id="theme" title={t('shell.theme')}>
          <ThemeChoice />
        </Section>
        {languages.length > 1 ? (
          <Section id="language" title={t('shell.language')}>
            <p className="text-muted-foreground">{t('session.languageHint')}</p>
            <LanguageChoice hideLabel />
          </Section>
        ) : null}
        <Card>
          <BlockedPeople />
        </Card>
        <Card>
          <AccountDataActions />
        </Card>
      </Suspense>
    </div>
  );
};

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="card grid gap-3">
    <h2 id={id} className="card-heading">
      {title}
    </h2>
    {children}
  </section>
);
