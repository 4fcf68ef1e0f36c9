import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { useGoToPostAd } from '../../features/auth/sign-in.tsx';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Logo, XLogo } from '../../ui/icons.tsx';

const LINK =
  'inline-flex min-h-8 items-center text-sm hyphens-auto wrap-anywhere text-muted-foreground hover:text-foreground hover:underline';

const FooterLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <li>
    <Link to={to} className={LINK}>
      {children}
    </Link>
  </li>
);

const Column = ({ title, children }: { title: string; children: ReactNode }) => (
  <nav aria-label={title}>
    <h2 className="mb-2 text-sm font-semibold">{title}</h2>
    <ul>{children}</ul>
  </nav>
);

const LanguageChoice = lazyWithRetry(
  () => import('../../features/preferences/language-choice.tsx').then((module) => module.LanguageChoice),
  () => null,
);

export const Footer = () => {
  const { siteName, logo, siteXHandle, footerLine, links, languages, hasImprint } = useSiteConfig();
  const postAd = useGoToPostAd();
  // the code of the choice comes later
  const isChoosable = useHydrated() && languages.length > 1;
  return (
    <footer className="print:hidden mt-16 border-t border-border bg-surface pb-(--bottom-bar)">
      <div className="container-page grid grid-cols-2 gap-8 py-10 lg:grid-cols-[2fr_1fr_1fr]">
        <div className="col-span-2 grid content-start gap-3 lg:col-span-1">
          <p translate="no" className="flex items-center gap-2 text-lg font-semibold">
            <Logo src={logo} />
            {siteName}
          </p>
          {footerLine ? (
            <p translate="no" className="max-w-[40ch] text-sm text-muted-foreground">
              {footerLine}
            </p>
          ) : null}
          {siteXHandle ? (
            <a
              href={`https://x.com/${siteXHandle}`}
              target="_blank"
              rel="noopener"
              className="inline-flex min-h-8 w-fit items-center gap-2 text-sm font-medium hover:underline"
            >
              <XLogo /> {t('shell.followHandle', { handle: `@${siteXHandle}` })}
            </a>
          ) : null}
          {isChoosable ? <LanguageChoice hideLabel /> : null}
        </div>
        <Column title={t('shell.quickLinks')}>
          <FooterLink to="/">{t('shell.browseAds')}</FooterLink>
          <li>
            <button type="button" className={LINK} onClick={postAd}>
              {t('shell.postAnAd')}
            </button>
          </li>
          <FooterLink to="/categories">{t('shell.categories')}</FooterLink>
          <FooterLink to="/how-it-works">{t('shell.howItWorks')}</FooterLink>
        </Column>
        <Column title={t('shell.support')}>
          <FooterLink to="/safety-tips">{t('shell.safetyTips')}</FooterLink>
          <FooterLink to="/contact">{t('shell.contactUs')}</FooterLink>
          <FooterLink to="/terms-of-service">{t('shell.termsOfService')}</FooterLink>
          <FooterLink to="/privacy">{t('shell.privacyPolicy')}</FooterLink>
          {hasImprint ? <FooterLink to="/imprint">{t('shell.imprint')}</FooterLink> : null}
          {links.map(({ label, url }) => (
            <li key={`${label} ${url}`}>
              <a href={url} target="_blank" rel="noopener" className={LINK}>
                {label}
              </a>
            </li>
          ))}
        </Column>
      </div>
      <p className="container-page border-t border-border py-6 text-sm text-muted-foreground">
        {t('shell.allRightsReserved', { site: siteName })}
      </p>
    </footer>
  );
};
