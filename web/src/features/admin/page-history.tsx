import { useState } from 'react';
import type { Language } from '../../../../contract/languages.ts';
import { getPageVersion, PAGE_TEXT_LIMITS, type PageVersion, type TextPage } from '../../../../contract/page-texts.ts';
import { useApiQuery } from '../../api/query.ts';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';

interface PageHistoryProps {
  page: TextPage;
  language: Language;
  versions: readonly PageVersion[];
  onRestore: (id: string) => void;
}

const nameTime = ({ savedAt }: PageVersion): string => formatDateTime(savedAt);

export const PageHistory = ({ page, language, versions, onRestore }: PageHistoryProps) => {
  const [shown, setShown] = useState<PageVersion>();
  const [present] = versions;
  return (
    <Card className="grid gap-2">
      <h2 className="card-heading">History</h2>
      {versions.length === 0 ? (
        <p className="text-sm text-muted-foreground">
          {page === 'imprint' ? 'There has been no imprint yet.' : 'The page has always had its built-in text.'}
        </p>
      ) : (
        <ul className="max-h-96 divide-y divide-border overflow-y-auto">
          {versions.map((version) => (
            <li key={version.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
              <span className="min-w-0 grow">
                <span className="font-medium">{nameTime(version)}</span>{' '}
                <span className="text-muted-foreground">
                  by {version.savedBy === null ? 'marketctl or a former administrator' : `@${version.savedBy}`} ·{' '}
                  {version.isBuiltIn
                    ? page === 'imprint'
                      ? 'removed'
                      : 'built-in text'
                    : `${formatCount(version.characters)} characters`}
                </span>
              </span>
              {version === present ? (
                <Badge>Present</Badge>
              ) : (
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={`Show the version of ${nameTime(version)}`}
                  onClick={() => setShown(version)}
                >
                  Show
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {versions.length === PAGE_TEXT_LIMITS.versions ? (
        <p className="text-sm text-muted-foreground">Older versions are gone.</p>
      ) : null}
      <Dialog
        open={shown !== undefined}
        onOpenChange={() => setShown(undefined)}
        title={shown ? `Version of ${nameTime(shown)}` : ''}
        description="Restoring it makes it the text of the page. The present text stays in the history; what you typed and have not saved is lost."
        className="sm:max-w-2xl"
      >
        {shown ? <VersionText page={page} language={language} id={shown.id} /> : null}
        <div className="dialog-footer">
          <Button variant="outline" onClick={() => setShown(undefined)}>
            Cancel
          </Button>
          <Button
            onClick={() => {
              if (shown) onRestore(shown.id);
              setShown(undefined);
            }}
          >
            Restore This Version
          </Button>
        </div>
      </Dialog>
    </Card>
  );
};

interface VersionTextProps {
  page: TextPage;
  language: Language;
  id: string;
}

const VersionText = ({ page, language, id }: VersionTextProps) => {
  const query = useApiQuery(getPageVersion, { params: { page, id }, query: { language } });
  return (
    <Query of={query} failure="Failed to load the version" size="line" loading={<SkeletonRegion boxes={['h-64']} />}>
      {({ text }) => (
        <section
          aria-label="Its text"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard
          tabIndex={0}
          dir="auto"
          className="max-h-[50vh] overflow-y-auto rounded-control bg-muted p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {text === '' ? 'No text' : text}
        </section>
      )}
    </Query>
  );
};
