import { addAbortSignal, Readable } from 'node:stream';
import type { AppContext } from '../../app-context.ts';
import { createSnapshot, type Snapshot } from '../../db/bulk.ts';
import { AppError, notFound } from '../../errors.ts';
import { type Actor, isSelf, maySeePrivate } from '../../policy.ts';
import { listExportRows, readExportHead, reserveExport } from './repository.ts';

/** A client that reads more slowly loses its connection: an export holds a snapshot of the database. */
const MAX_MS = 5 * 60_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const RETRY_AFTER_S = 30;

/**
 * Everything stored about a user as one JSON document, of one moment and with bounded memory. `indent` as in
 * JSON.stringify. A document that breaks off is not valid JSON. For users themselves at most one export of a person and two
 * in all run at a time.
 * @throws {AppError} not_found, rate_limited (this user is being exported already), overloaded
 */
export async function exportUser(ctx: AppContext, actor: Actor, userId: string, indent = 0): Promise<Readable> {
  if (!maySeePrivate(actor, userId)) throw notFound('User not found');
  const { databaseDirectUrl: url, publicUrl: site } = ctx.config;
  const snapshot = await createSnapshot({ url, name: 'tradepost export', statementTimeout: STATEMENT_TIMEOUT_MS });
  try {
    if (isSelf(actor, userId)) await reserve(snapshot, userId);
    const head = await readExportHead(snapshot, userId);
    if (head === undefined) throw notFound('User not found');
    const fields = { exportedAt: ctx.clock.now().toISOString(), site, ...head };
    const document = Readable.from(writeDocument(snapshot, userId, fields, indent), { objectMode: false });
    // a reader that disconnects before the first byte never starts the generator, which would close it
    document.once('close', () => void snapshot.close());
    return addAbortSignal(AbortSignal.timeout(MAX_MS), document);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

async function reserve(snapshot: Snapshot, userId: string): Promise<void> {
  const result = await reserveExport(snapshot, userId);
  if (result === 'reserved') return;
  const message = 'Your data is being exported already.';
  throw result === 'busy'
    ? new AppError('rate_limited', { message, retryAfter: RETRY_AFTER_S })
    : new AppError('overloaded', { retryAfter: RETRY_AFTER_S });
}

async function* writeDocument(snapshot: Snapshot, userId: string, fields: object, indent: number) {
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
      yield `${isEmpty ? '' : ','}${line(2)}${toText(row, 2)}`;
      isEmpty = false;
    }
    yield isEmpty ? ']' : `${line(1)}]`;
    comma = ',';
  }
  yield `${line(0)}}`;
}
