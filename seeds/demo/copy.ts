import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

export type CopyValue = string | number | boolean | null;

/** Rows per COPY statement. The triggers keep all rows of a statement in memory. */
const CHUNK = 20_000;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const toField = (value: CopyValue): string =>
  value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (character) => ESCAPES[character]!);

export async function copyRows(client: Client, target: string, rows: Iterable<CopyValue[]>): Promise<void> {
  const source = rows[Symbol.iterator]();
  for (let lines: string[]; ; ) {
    lines = [];
    for (let next = source.next(); !next.done; next = source.next()) {
      lines.push(`${next.value.map(toField).join('\t')}\n`);
      if (lines.length === CHUNK) break;
    }
    if (lines.length > 0)
      await pipeline(Readable.from([lines.join('')]), client.query(copyFrom(`copy ${target} from stdin`)));
    if (lines.length < CHUNK) return;
  }
}
