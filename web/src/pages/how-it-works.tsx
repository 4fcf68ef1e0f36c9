import { BadgeCheck, Search, ShieldCheck, Sparkles } from 'lucide-react';
import { t } from '../../../contract/i18n.ts';
import type { TextSection } from '../../../contract/page-texts.ts';
import { useGoToPostAd } from '../features/auth/sign-in.tsx';
import { IconCards } from '../features/static-pages/icon-cards.tsx';
import { Html, Sections } from '../features/static-pages/prose.tsx';
import { TextPage } from '../features/static-pages/text-page.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';

const STEPS = 4;
const FEATURE_ICONS = [BadgeCheck, ShieldCheck, Search, Sparkles];

export const HowItWorksPage = () => {
  const postAd = useGoToPostAd();
  return (
    <TextPage
      page="how-it-works"
      sections={({ isBuiltIn, sections }) =>
        isBuiltIn ? <BuiltInSteps sections={sections} /> : <Sections sections={sections} />
      }
    >
      <div className="mt-10 flex flex-wrap justify-center gap-3">
        <Button size="lg" onClick={postAd}>
          {t('pages.postFirst')}
        </Button>
        <LinkButton to="/" size="lg" variant="outline">
          {t('pages.browseListings')}
        </LinkButton>
      </div>
    </TextPage>
  );
};

/** The layout of the built-in text: steps, what to count on, and lists of points (server/features/pages/built-in). */
const BuiltInSteps = ({ sections }: { sections: readonly TextSection[] }) => {
  const steps = sections.slice(0, STEPS);
  const [features, ...lists] = sections.slice(STEPS);
  return (
    <>
      <ol className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ id, title, html }, index) => (
          <li key={id} className="grid">
            <Card className="grid content-start gap-2">
              <span className="flex size-9 items-center justify-center rounded-full bg-primary font-semibold text-primary-foreground">
                {index + 1}
              </span>
              <h2 className="card-heading">{title}</h2>
              <Html html={html} />
            </Card>
          </li>
        ))}
      </ol>
      {features ? (
        <>
          <h2 className="mt-12 mb-4 text-2xl font-semibold">{features.title}</h2>
          <IconCards cards={features.parts} icons={FEATURE_ICONS} heading="h3" className="lg:grid-cols-4" />
        </>
      ) : null}
      <div className="mt-8 grid grid-cols-1 gap-4 lg:grid-cols-2">
        {lists.map(({ id, title, parts }) => (
          <Card key={id}>
            <h2 className="section-heading">{title}</h2>
            <dl className="mt-4 grid gap-4">
              {parts.map((part) => (
                <div key={part.title}>
                  <dt className="font-semibold">{part.title}</dt>
                  <dd>
                    <Html html={part.html} />
                  </dd>
                </div>
              ))}
            </dl>
          </Card>
        ))}
      </div>
    </>
  );
};
