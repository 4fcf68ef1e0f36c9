import { useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import type { Language } from '../../../../contract/languages.ts';
import { getPageVersion, PAGE_TEXT_LIMITS, type PageVersion, type TextPage } from '../../../../contract/page-texts.ts';
import { useApiQuery } from '../../api/query.ts';
import { formatDateTime } from '../../lib/format.ts';
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

const toFacts = (page: TextPage, { savedBy, isBuiltIn, characters }: PageVersion): string => {
  const builtIn = page === 'imprint' ? t('content.versionRemoved') : t('content.builtInText');
  return t('content.versionBy', {
    who: savedBy === null ? t('content.byMarketctl') : `@${savedBy}`,
    what: isBuiltIn ? builtIn : t('content.characters', { count: characters }),
  });
};

export const PageHistory = ({ page, language, versions, onRestore }: PageHistoryProps) => {
  const [shown, setShown] = useState<PageVersion>();
  const [present] = versions;
  return (
    <Card className="grid gap-2">
      <h2 className="card-heading">{t('content.history')}</h2>
      {versions.length === 0 ? (
        <p className="text-sm text-muted-foreground">
          {page === 'imprint' ? t('content.noImprintYet') : t('content.alwaysBuiltIn')}
        </p>
      ) : (
        <ul className="max-h-96 divide-y divide-border overflow-y-auto">
          {versions.map((version) => (
            <li key={version.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
              <span className="min-w-0 grow">
                <span className="font-medium">{nameTime(version)}</span>{' '}
                <span className="text-muted-foreground">{toFacts(page, version)}</span>
              </span>
              {version === present ? (
                <Badge>{t('content.present')}</Badge>
              ) : (
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={t('content.showVersion', { time: nameTime(version) })}
                  onClick={() => setShown(version)}
                >
                  {t('content.show')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {versions.length === PAGE_TEXT_LIMITS.versions ? (
        <p className="text-sm text-muted-foreground">{t('content.olderGone')}</p>
      ) : null}
      <Dialog
        open={shown !== undefined}
        onOpenChange={() => setShown(undefined)}
        title={shown ? t('content.versionOf', { time: nameTime(shown) }) : ''}
        description={t('content.restoreText')}
        className="sm:max-w-2xl"
      >
        {shown ? <VersionText page={page} language={language} id={shown.id} /> : null}
        <div className="dialog-footer">
          <Button variant="outline" onClick={() => setShown(undefined)}>
            {t('shell.cancel')}
          </Button>
          <Button
            onClick={() => {
              if (shown) onRestore(shown.id);
              setShown(undefined);
            }}
          >
            {t('content.restoreThis')}
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
    <Query of={query} failure={t('content.versionFailed')} size="line" loading={<SkeletonRegion boxes={['h-64']} />}>
      {({ text }) => (
        <section
          aria-label={t('content.itsText')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard
          tabIndex={0}
          dir="auto"
          className="max-h-[50vh] overflow-y-auto rounded-control bg-muted p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {text === '' ? t('content.noText') : text}
        </section>
      )}
    </Query>
  );
};
