import type { Language } from '../../../../contract/languages.ts';
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
      <h2 className="card-heading">Preview</h2>
      {settled.trim() === '' ? (
        <p className="text-sm text-muted-foreground">What you write is shown here.</p>
      ) : (
        <Query
          of={query}
          failure="Failed to make the preview"
          size="line"
          loading={<SkeletonRegion className="grid gap-3" boxes={['h-6', 'h-24']} />}
        >
          {({ intro, sections }) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard
            <section aria-label="Preview of the page" tabIndex={0} className="grid max-h-[70vh] gap-6 overflow-y-auto">
              <Html html={intro} className="text-lg" />
              <Sections sections={sections} />
            </section>
          )}
        </Query>
      )}
    </Card>
  );
};
