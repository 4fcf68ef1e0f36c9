import type { Import, ImportDetails, ImportRow, ReadFile } from '../../../contract/imports.ts';
import { sayStored } from '../../error-phrases.ts';
import { sayProblem } from './phrases.ts';
import type { ImportRow as Row, RowDetails } from './repository.ts';
import type { ImportSummary } from './service.ts';
import type { OpenedFile } from './uploads.ts';

export const presentImport = (row: Row): Import => ({
  id: row.id,
  fileName: row.file_name,
  format: row.format,
  source: row.source,
  // nobody sees an import whose file is being read
  state: row.state as Import['state'],
  rows: row.rows,
  done: row.done,
  same: row.same,
  wrong: row.wrong,
  created: row.created,
  updated: row.updated,
  paused: row.paused,
  refused: row.refused,
  error: row.error && sayStored(row.error, row.error_phrase),
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});

export const presentSummary = ({
  counts,
  unknownCategories,
  missing,
  photos,
  ...row
}: ImportSummary): ImportDetails => ({
  ...presentImport(row),
  counts,
  unknownCategories,
  missing,
  photos: {
    ...photos,
    failed: photos.failed.map(({ line, url, ...photo }) => ({
      line,
      url,
      failure: sayStored(photo.failure, photo.failure_phrase),
    })),
  },
});

export const presentRow = ({
  position,
  line,
  external_id,
  title,
  kind,
  ad_id,
  problems,
  notes,
  note_phrases,
}: RowDetails): ImportRow => ({
  position,
  line,
  externalId: external_id,
  title,
  kind,
  adId: ad_id,
  problems: problems.map(sayProblem),
  notes: notes.map((note, at) => sayStored(note, note_phrases?.[at])),
});

const CELL = 100;

export const presentFile = ({ file, kind, columns = {}, choices }: OpenedFile): ReadFile => ({
  format: file.format.name,
  kind,
  columns:
    file.format.name === 'csv' && file.table
      ? [...new Set(file.table.headings)].map((heading) => ({
          heading,
          first: (file.table?.first[file.table.headings.indexOf(heading)] ?? '').slice(0, CELL),
          meaning: (Object.hasOwn(columns, heading) && columns[heading]) || '',
        }))
      : null,
  categories: choices?.categories ?? {},
  decimal: choices?.decimal ?? null,
  isRemembered: choices !== undefined,
});
