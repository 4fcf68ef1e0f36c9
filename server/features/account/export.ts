import { addAbortSignal, Readable } from 'node:stream';
import type { Texts } from '../../../contract/i18n.ts';
import type { AppContext } from '../../app-context.ts';
import { createSnapshot, type Snapshot } from '../../db/bulk.ts';
import { AppError, notFound } from '../../errors.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { type Actor, isSelf, maySeePrivate } from '../../policy.ts';
import { readNews, type StoredNews } from '../notifications/news.ts';
import {
  type ExportRoom,
  listExportRows,
  readExportHead,
  readExportRoom,
  reserveExport,
  type Spoken,
} from './repository.ts';

/** An export holds a snapshot of the database, so a slower client is disconnected. */
const MAX_MS = 5 * 60_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const RETRY_AFTER_S = 30;

/**
 * Streams everything stored about a user as one JSON document, from one snapshot and with bounded memory. `indent` as
 * in JSON.stringify. An interrupted document is invalid JSON. Users may run one export each and two in total at the
 * same time. @throws {AppError} not_found, rate_limited (an export of this user is running), overloaded
 */
export async function exportUser(ctx: AppContext, actor: Actor, userId: string, indent = 0): Promise<Readable> {
  if (!maySeePrivate(actor, userId)) throw notFound('errors.userNotFound');
  const isLimited = isSelf(actor, userId);
  // before the snapshot, which is a connection outside of the pools
  if (isLimited) refuseWithoutRoom(await readExportRoom(ctx.db, userId));
  const { databaseDirectUrl: url, publicUrl: site } = ctx.config;
  const snapshot = await createSnapshot({ url, name: 'tradepost export', statementTimeout: STATEMENT_TIMEOUT_MS });
  try {
    // others may have begun in the meantime
    if (isLimited) refuseWithoutRoom(await reserveExport(snapshot, userId));
    const head = await readExportHead(snapshot, userId);
    if (head === undefined) throw notFound('errors.userNotFound');
    const fields = { exportedAt: ctx.clock.now().toISOString(), site, ...head };
    const texts = readTextsOf(toReader(head.profile), ctx.config);
    const document = Readable.from(writeDocument(snapshot, userId, { fields, texts, indent }), { objectMode: false });
    // if the reader disconnects before the first byte, the generator never starts and cannot close the snapshot
    document.once('close', () => void snapshot.close());
    return addAbortSignal(AbortSignal.timeout(MAX_MS), document);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

function refuseWithoutRoom(room: ExportRoom): void {
  if (room === 'free') return;
  throw room === 'busy'
    ? new AppError('rate_limited', { key: 'errors.exportRuns', retryAfter: RETRY_AFTER_S })
    : new AppError('overloaded', { retryAfter: RETRY_AFTER_S });
}

const toReader = ({ language, seenLanguage, timeZone }: Spoken) => ({
  language: language ?? seenLanguage,
  time_zone: timeZone,
});

const toTold = ({ params, ...row }: StoredNews, texts: Texts): object => ({
  ...row,
  ...readNews({ ...row, params }, texts),
});

interface Document {
  fields: object;
  texts: Texts;
  indent: number;
}

async function* writeDocument(snapshot: Snapshot, userId: string, { fields, texts, indent }: Document) {
  const line = (depth: number) => (indent > 0 ? `\n${' '.repeat(indent * depth)}` : '');
  const toText = (value: unknown, depth: number) => JSON.stringify(value, null, indent).replaceAll('\n', line(depth));
  const toKey = (key: string) => `${line(1)}${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}`;
  yield '{';
  for (const [key, value] of Object.entries(fields)) yield `${toKey(key)}${toText(value, 1)},`;
  let comma = '';
  for (const [key, rows] of listExportRows(snapshot, userId)) {
    yield `${comma}${toKey(key)}[`;
    let isEmpty = true;
    for await (const row of rows) {
      const told = key === 'notifications' ? toTold(row as StoredNews, texts) : row;
      yield `${isEmpty ? '' : ','}${line(2)}${toText(told, 2)}`;
      isEmpty = false;
    }
    yield isEmpty ? ']' : `${line(1)}]`;
    comma = ',';
  }
  yield `${line(0)}}`;
}
