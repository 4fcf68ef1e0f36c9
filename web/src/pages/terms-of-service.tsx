import { Link } from 'react-router-dom';
import { LIMITS } from '../../../contract/limits.ts';
import { Section, Sections, StaticPage } from '../features/static-pages/prose.tsx';
import { useSiteConfig } from '../lib/site-config.tsx';

const Mail = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>;

export const TermsOfServicePage = () => {
  const { siteName: site, legalEmail: legal, supportEmail: support } = useSiteConfig();
  return (
    <StaticPage title="Terms of Service" intro="Last updated: January 2025">
      <Sections>
        <Section id="acceptance" title="Acceptance of these terms">
          <p>By using {site} you accept these terms. If you do not, please do not use it.</p>
        </Section>
        <Section id="accounts" title="Accounts">
          <p>
            You sign in with your X account and its credentials; {site} never sees your X password. You answer for what
            happens under your account, so keep access to X to yourself. One person, one account.
          </p>
        </Section>
        <Section id="ads" title="Ads and transactions">
          <p>
            Describe what you offer honestly, with your own photos and the real price. Deals are made between buyer and
            seller; {site} is not a party to them, handles no payments and takes no fee. These things may not be
            offered:
          </p>
          <ul>
            <li>illegal items of any kind</li>
            <li>weapons, ammunition and explosives</li>
            <li>drugs, alcohol and tobacco</li>
            <li>counterfeit goods</li>
            <li>adult content</li>
            <li>live animals, except through licensed dealers</li>
          </ul>
        </Section>
        <Section id="conduct" title="User conduct">
          <p>
            Be truthful and civil. No harassment, no spam, no fraud, no collecting of other people's data, and no
            attempt to break or overload the service. If you see any of this, report the ad, the person or the message;
            false reports count against you. You can block people you do not want to hear from.
          </p>
        </Section>
        <Section id="privacy" title="Privacy and data collection">
          <p>
            We keep what the service needs: your public X profile, your ads, favorites and messages. The{' '}
            <Link to="/privacy">privacy policy</Link> says what, why and for how long.
          </p>
        </Section>
        <Section id="liability" title="Limitation of liability">
          <p>
            {site} is provided as it is. As far as the law allows, we are not liable for what users offer, say or do,
            for deals that go wrong, or for interruptions of the service.
          </p>
        </Section>
        <Section id="property" title="Intellectual property">
          <p>
            What you post stays yours. You grant us a license to display and distribute it as the service requires, for
            as long as your ad exists. Post only what you have the right to post.
          </p>
        </Section>
        <Section id="termination" title="Account termination">
          <p>
            We may remove ads, warn, and suspend or ban accounts that break these terms. You then see what we decided
            and why, and within {LIMITS.appealDays} days you may appeal to a person; a ban you contest at the address
            below. You may delete your account at any time, in Edit Profile on your dashboard.
          </p>
        </Section>
        <Section id="changes" title="Changes to these terms">
          <p>We may change these terms. The date above says when we last did; using {site} afterwards accepts them.</p>
        </Section>
        <Section id="contact" title="Contact">
          <p>
            Questions about these terms: <Mail address={legal} />. Help with the service: <Mail address={support} />.
          </p>
        </Section>
      </Sections>
    </StaticPage>
  );
};
