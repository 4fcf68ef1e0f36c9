import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { getImport, type Import, type ImportDetails, listImports } from '../../../../contract/imports.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useApiQuery, useInvalidateQueries } from '../../api/query.ts';
import { formatCount } from '../../lib/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { TimeAgo } from '../../ui/local-date.tsx';
import { Query } from '../../ui/query.tsx';
import { ChoicesForm } from './choices-form.tsx';
import { FileChoice } from './file-choice.tsx';
import { formatMegabytes, STATES } from './labels.ts';
import { Preview } from './preview.tsx';
import { Progress, Result } from './result.tsx';
import { type Upload, useUpload } from './use-upload.ts';

/** The view of the dashboard that makes ads of a file. */
export const ImportAds = () => {
  const upload = useUpload();
  const list = useApiQuery(listImports, {}, { freshMs: 0 });
  return (
    <div className="grid gap-6">
      <div className="grid justify-items-start gap-2">
        <LinkButton to="/dashboard" variant="ghost" size="sm">
          <ArrowLeft /> {t('shell.dashboard')}
        </LinkButton>
        <h1 className="text-2xl font-semibold sm:text-3xl">{t('imports.title')}</h1>
        <p className="max-w-[70ch] text-muted-foreground">
          {t('imports.intro', { size: formatMegabytes(LIMITS.importBytes), rows: LIMITS.importRows })}
        </p>
      </div>
      <Query of={list} failure={t('imports.historyFailed')} loading={<SkeletonRegion boxes={['h-40']} />}>
        {([newest, ...earlier]) => (
          <>
            {newest?.state === 'running' ? null : <FileChoice upload={upload} />}
            <UnreadColumns upload={upload} />
            {newest && upload.preview?.import !== null ? (
              <NewestImport key={newest.id} id={newest.id} upload={upload} />
            ) : null}
            {earlier.length > 0 ? <History imports={earlier} /> : null}
          </>
        )}
      </Query>
    </div>
  );
};

/** A table whose title nobody knows: there is no preview yet. */
const UnreadColumns = ({ upload }: { upload: Upload }) => {
  const { file, import: read } = upload.preview ?? {};
  if (!file || read) return null;
  return (
    <ChoicesForm key={file.kind} file={file} unknown={[]} onApply={(choices) => upload.apply(file.kind, choices)} />
  );
};

const POLL_MS = 1500;
const needsPoll = ({ state, photos }: ImportDetails): boolean => state === 'running' || photos.waiting > 0;

const NewestImport = ({ id, upload }: { id: string; upload: Upload }) => {
  const query = useApiQuery(
    getImport,
    { params: { id } },
    { freshMs: 0, refreshInterval: (data) => (data && needsPoll(data) ? POLL_MS : 0) },
  );
  const invalidate = useInvalidateQueries();
  const { data } = query;
  const ending = data && data.state !== 'ready' && data.state !== 'running' ? data.finishedAt : undefined;
  useEffect(() => {
    if (ending) void invalidate('ads', 'myAds', 'imports', 'import');
  }, [ending, invalidate]);
  return (
    <Query of={query} failure={t('imports.historyFailed')} loading={<SkeletonRegion boxes={['h-64']} />}>
      {(details) => <ImportState of={details} upload={upload} />}
    </Query>
  );
};

const ImportState = ({ of, upload }: { of: ImportDetails; upload: Upload }) => {
  if (of.state === 'running') return <Progress of={of} />;
  if (of.state !== 'ready') return <Result run={of} />;
  const { file, import: read } = upload.preview ?? {};
  // the preview of the file that is chosen here, and not one of before
  const own = read?.id === of.id ? file : undefined;
  return (
    <>
      {own ? (
        <ChoicesForm
          key={of.id}
          file={own}
          unknown={of.unknownCategories}
          hasMistakes={of.counts.wrong > 0}
          onApply={(choices) => upload.apply(own.kind, choices)}
        />
      ) : null}
      <Preview of={of} hasFile={own !== undefined} onDiscard={upload.forget} />
    </>
  );
};

const VARIANTS = { ready: 'neutral', running: 'accent', done: 'success', failed: 'destructive' } as const;

const sum = ({ created, updated, same, wrong, refused }: Import): [label: string, count: number][] => [
  [t('imports.created'), created],
  [t('imports.updated'), updated],
  [t('imports.same'), same],
  [t('imports.wrong'), wrong + refused],
];

const History = ({ imports }: { imports: readonly Import[] }) => (
  <section aria-labelledby="import-history">
    <h2 id="import-history" className="mb-3 section-heading">
      {t('imports.history')}
    </h2>
    <Card>
      <ul className="divide-y divide-border">
        {imports.map((one) => (
          <li key={one.id} className="grid gap-1 py-3 text-sm">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <bdi className="font-medium wrap-anywhere">{one.fileName}</bdi>
              <Badge variant={VARIANTS[one.state]}>{STATES[one.state]}</Badge>
              <TimeAgo iso={one.createdAt} className="text-muted-foreground" />
            </p>
            <p className="flex flex-wrap gap-x-4 text-muted-foreground">
              {sum(one).map(([label, count]) => (
                <span key={label}>
                  {label} {formatCount(count)}
                </span>
              ))}
            </p>
            {one.error ? <bdi className="text-destructive">{one.error}</bdi> : null}
          </li>
        ))}
      </ul>
    </Card>
  </section>
);
