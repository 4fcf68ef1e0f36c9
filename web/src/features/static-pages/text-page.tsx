import type { ReactElement, ReactNode } from 'react';
import { t } from '../../../../contract/i18n.ts';
import type { PageText, TextPage as TextPageId } from '../../../../contract/page-texts.ts';
import { getFixedTitle } from '../../../../contract/pages.ts';
import { hasStatus } from '../../api/client.ts';
import { formatDate, formatOf } from '../../lib/format.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { PageSkeleton } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { Html, Sections, StaticPage } from './prose.tsx';
import { getForeign, usePageText } from './use-page-text.ts';

const month = formatOf({ year: 'numeric', month: 'long', timeZone: 'UTC' });

/** "January 2025", "Nov 26, 2026" */
const formatUpdated = (updated: string): string =>
  /^\d+-\d+$/.test(updated) ? month().format(new Date(updated)) : formatDate(updated, 'UTC');

interface TextPageProps {
  page: TextPageId;
  /** How the page shows its sections; by default one below the other. */
  sections?: (text: PageText) => ReactElement;
  /** Shown where there is no text. */
  missing?: ReactNode;
  children?: ReactNode;
}

/** A page with a text of administrators, or else its built-in one. */
export const TextPage = ({ page, sections, missing, children }: TextPageProps) => {
  const { siteName } = useSiteConfig();
  return (
    <Query
      of={usePageText(page)}
      failure={t('pages.loadFailed')}
      size="page"
      loading={<PageSkeleton />}
      refusal={(error) => (hasStatus(error, 404) ? missing : undefined)}
    >
      {(text) => (
        <StaticPage
          title={getFixedTitle(page, siteName) ?? ''}
          intro={
            <>
              {text.updated ? <p>{t('pages.lastUpdated', { date: formatUpdated(text.updated) })}</p> : null}
              <div {...getForeign(text)}>
                <Html html={text.intro} />
              </div>
            </>
          }
        >
          <div {...getForeign(text)}>{sections?.(text) ?? <Sections sections={text.sections} />}</div>
          {children}
        </StaticPage>
      )}
    </Query>
  );
};
