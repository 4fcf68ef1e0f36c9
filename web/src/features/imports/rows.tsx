import { Download } from 'lucide-react';
import { toCsvRecord } from '../../../../contract/csv.ts';
import { t } from '../../../../contract/i18n.ts';
import {
  type ImportDetails,
  type ImportMistake,
  type ImportRow,
  listImportMistakes,
  listImportRows,
  type RowKind,
} from '../../../../contract/imports.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { apiRequest } from '../../api/client.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { saveCsv } from '../../lib/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { EmptyLine } from '../../ui/list-section.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { Query } from '../../ui/query.tsx';

const toPlace = (line: number, column: string): string =>
  column ? t('imports.lineColumn', { line, column }) : t('imports.line', { line });

const Row = ({ row: { line, title, problems, notes } }: { row: ImportRow }) => (
  <li className="grid gap-1 py-3 text-sm">
    <p className="flex min-w-0 flex-wrap gap-x-3">
      {problems.length === 0 ? <span className="text-muted-foreground">{toPlace(line, '')}</span> : null}
      <bdi className="font-medium wrap-anywhere">{title || '–'}</bdi>
    </p>
    {problems.map(({ column, what, how }) => (
      <p key={column + what} className="wrap-anywhere">
        <span className="text-destructive">{t('imports.mistake', { place: toPlace(line, column), what })}</span>{' '}
        <bdi className="text-muted-foreground">{how}</bdi>
      </p>
    ))}
    {notes.map((note) => (
      <p key={note} className="wrap-anywhere text-muted-foreground">
        <bdi>{note}</bdi>
      </p>
    ))}
  </li>
);

/** The rows of a kind, a page at a time, as many as the server shows. */
export const Rows = ({ of: { id, counts }, kind }: { of: ImportDetails; kind: RowKind }) => {
  const list = useInfiniteApiQuery(listImportRows, { params: { id }, query: { kind, limit: '50' } });
  return (
    <Query
      of={list}
      failure={t('imports.rowsFailed')}
      size="line"
      loading={<SkeletonRegion boxes={['h-40']} />}
      empty={<EmptyLine>{t('imports.noRows')}</EmptyLine>}
    >
      {(rows) => (
        <div>
          <ul className="divide-y divide-border">
            {rows.map((row) => (
              <Row key={row.position} row={row} />
            ))}
          </ul>
          <LoadMoreButton list={list} />
          {counts[kind] > LIMITS.importShown ? (
            <EmptyLine>{t('imports.firstShown', { rows: LIMITS.importShown })}</EmptyLine>
          ) : null}
        </div>
      )}
    </Query>
  );
};

const COLUMNS = ['line', 'column', 'what', 'how', 'id', 'title'] as const;

const toCsv = (mistakes: readonly ImportMistake[]): string =>
  [COLUMNS, ...mistakes.map((mistake) => COLUMNS.map((column) => String(mistake[column])))].map(toCsvRecord).join('');

/** Saves all mistakes of the rows, and the photos that could not be fetched. */
export const MistakesButton = ({ of: { id, counts, photos } }: { of: ImportDetails }) => {
  const { isBusy, run } = useAction();
  if (counts.wrong + photos.failedCount === 0) return null;
  const save = async () => saveCsv('mistakes.csv', toCsv(await apiRequest(listImportMistakes, { params: { id } })));
  return (
    <Button variant="outline" busy={isBusy} onClick={() => void run(save, t('imports.downloadFailed'))}>
      {isBusy ? <Spinner /> : <Download />} {t('imports.downloadMistakes')}
    </Button>
  );
};
