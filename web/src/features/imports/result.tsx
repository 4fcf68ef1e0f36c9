import { useEffect } from 'react';
import { t } from '../../../../contract/i18n.ts';
import type { ImportDetails } from '../../../../contract/imports.ts';
import { announce } from '../../lib/announcer.tsx';
import { formatCount } from '../../lib/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TermList } from '../../ui/term-list.tsx';
import { MistakesButton, Rows } from './rows.tsx';

/** A run, as far as it is. */
export const Progress = ({ of: { fileName, done, rows } }: { of: ImportDetails }) => (
  <Card className="grid gap-3">
    <h2 className="card-heading wrap-anywhere">{t('imports.importing', { file: fileName })}</h2>
    <progress className="h-3 w-full accent-primary" aria-label={t('imports.progress')} value={done} max={rows} />
    <p className="text-sm">
      <bdi>
        {formatCount(done)} / {formatCount(rows)}
      </bdi>
    </p>
    <p className="text-sm text-muted-foreground">{t('imports.importingText')}</p>
  </Card>
);

const unlessZero = (count: number): string | null => (count === 0 ? null : formatCount(count));

const FailedPhotos = ({ of: { photos } }: { of: ImportDetails }) => (
  <ul className="grid gap-2 text-sm">
    {photos.failed.map(({ line, url, failure }) => (
      <li key={`${line} ${url}`} className="wrap-anywhere">
        {t('imports.line', { line })}: <bdi>{url}</bdi> <bdi className="text-destructive">{failure}</bdi>
      </li>
    ))}
  </ul>
);

/** What a run did. */
export const Result = ({ run }: { run: ImportDetails }) => {
  const { state, error, created, updated, paused, refused, counts, photos, fileName } = run;
  const title = t(state === 'failed' ? 'imports.failed' : 'imports.done');
  useEffect(() => announce(title), [title]);
  return (
    <Card className="grid gap-4">
      <h2 className="card-heading">{title}</h2>
      <p className="text-sm wrap-anywhere text-muted-foreground">{fileName}</p>
      {error ? (
        <p role="alert" className="text-sm text-destructive">
          <bdi>{error}</bdi>
        </p>
      ) : null}
      <TermList
        rows={[
          [t('imports.created'), formatCount(created)],
          [t('imports.updated'), formatCount(updated)],
          [t('imports.same'), unlessZero(counts.same)],
          [t('imports.paused'), unlessZero(paused)],
          [t('imports.wrong'), unlessZero(counts.wrong - refused)],
          [t('imports.refused'), unlessZero(refused)],
          [t('imports.photosWaiting'), unlessZero(photos.waiting)],
          [t('imports.photosFailed'), unlessZero(photos.failedCount)],
        ]}
      />
      {photos.failed.length > 0 ? <FailedPhotos of={run} /> : null}
      {counts.wrong > 0 ? <Rows of={run} kind="wrong" /> : null}
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/dashboard">{t('imports.viewAds')}</LinkButton>
        <MistakesButton of={run} />
      </div>
    </Card>
  );
};
