import { t } from '../../../../contract/i18n.ts';
import { getDirection, type Language } from '../../../../contract/languages.ts';
import { previewPage } from '../../../../contract/page-texts.ts';
import { usePreview } from '../../api/uncached-query.ts';
import { useDebouncedValue } from '../../hooks/use-debounced-value.ts';
import { Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { Html, Sections } from '../static-pages/prose.tsx';

/** What the text of the form looks like before it is saved. */
export const PagePreview = ({ text, language }: { text: string; language: Language }) => {
  const settled = useDebouncedValue(text, 400);
  const query = usePreview(previewPage, settled.trim() === '' ? null : { text: settled }, { query: { language } });
  return (
    <Card className="grid gap-4">
      <h2 className="card-heading">{t('content.preview')}</h2>
      {settled.trim() === '' ? (
        <p className="text-sm text-muted-foreground">{t('content.previewHint')}</p>
      ) : (
        <Query
          of={query}
          failure={t('content.previewFailed')}
          size="line"
          loading={<SkeletonRegion className="grid gap-3" boxes={['h-6', 'h-24']} />}
        >
          {({ intro, sections }) => (
            <section
              aria-label={t('content.previewOf')}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard
              tabIndex={0}
              className="max-h-[70vh] overflow-y-auto"
            >
              <div lang={language} dir={getDirection(language)} className="grid gap-6">
                <Html html={intro} className="text-lg" />
                <Sections sections={sections} />
              </div>
            </section>
          )}
        </Query>
      )}
    </Card>
  );
};
