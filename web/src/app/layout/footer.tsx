import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useGoToPostAd } from '../../features/auth/sign-in.tsx';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Logo, XLogo } from '../../ui/icons.tsx';

const LINK = 'inline-flex min-h-8 items-center text-sm text-muted-foreground hover:text-foreground hover:underline';

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

export const Footer = () => {
  const { siteName, logo, siteXHandle, footerLine, links } = useSiteConfig();
  const postAd = useGoToPostAd();
  return (
    <footer className="print:hidden mt-16 border-t border-border bg-surface pb-(--bottom-bar)">
      <div className="container-page grid grid-cols-2 gap-8 py-10 lg:grid-cols-[2fr_1fr_1fr]">
        <div className="col-span-2 grid content-start gap-3 lg:col-span-1">
          <p className="flex items-center gap-2 text-lg font-semibold">
            <Logo src={logo} />
            {siteName}
          </p>
          {footerLine ? <p className="max-w-[40ch] text-sm text-muted-foreground">{footerLine}</p> : null}
          {siteXHandle ? (
            <a
              href={`https://x.com/${siteXHandle}`}
              target="_blank"
              rel="noopener"
              className="inline-flex min-h-8 w-fit items-center gap-2 text-sm font-medium hover:underline"
            >
              <XLogo /> Follow @{siteXHandle}
            </a>
          ) : null}
        </div>
        <Column title="Quick Links">
          <FooterLink to="/">Browse Ads</FooterLink>
          <li>
            <button type="button" className={LINK} onClick={postAd}>
              Post an Ad
            </button>
          </li>
          <FooterLink to="/categories">Categories</FooterLink>
          <FooterLink to="/how-it-works">How it Works</FooterLink>
        </Column>
        <Column title="Support">
          <FooterLink to="/safety-tips">Safety Tips</FooterLink>
          <FooterLink to="/contact">Contact Us</FooterLink>
          <FooterLink to="/terms-of-service">Terms of Service</FooterLink>
          <FooterLink to="/privacy">Privacy Policy</FooterLink>
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
        © 2025 {siteName}. All rights reserved.
      </p>
    </footer>
  );
};
